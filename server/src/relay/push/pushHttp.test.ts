import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  connectRelayClient,
  createClientKey,
  signToken,
  startTestServer,
  testProjectId,
  type ClientKey,
} from '../../testing/index.ts'
import { startWebPushReceiver, verifyVapid, type WebPushReceiver } from './testing/webPushReceiver.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
let receiver: WebPushReceiver

beforeAll(async () => {
  receiver = await startWebPushReceiver()
  const push = { contact: 'mailto:push@example.org', hosts: 'any', fcm: undefined, apns: undefined } as const
  server = await startTestServer({ webhooks: 'any', push })
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

type RequestOptions = {
  path?: string
  token?: string
  headers?: Record<string, string>
  body?: object
  method?: string
}

async function send(key: ClientKey, options: RequestOptions = {}): Promise<{ status: number; body: unknown }> {
  const { path = `/${testProjectId}/clients`, token = signToken(key), headers, body, method = 'POST' } = options
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

const createRegistration = (key: ClientKey, change: object = {}): object => ({
  client_id: key.clientId,
  type: 'web',
  token: receiver.subscribe().token,
  always_raw: true,
  ...change,
})

test('a wallet that sleeps is woken, reads the message, connects and gets it from its mailbox', async () => {
  const key = createClientKey()
  const topic = '1'.repeat(64)
  const browser = receiver.subscribe()
  expect(await send(key, { body: createRegistration(key, { token: browser.token }) })).toEqual({
    status: 200,
    body: { status: 'OK' },
  })
  const wallet = await connectRelayClient(server.relayUrl, { key })
  await wallet.request('irn_subscribe', { topic })
  await wallet.close()
  const dapp = await connectRelayClient(server.relayUrl)
  await dapp.request('irn_publish', { topic, message: 'sealed', ttl: 300, tag: 1108, prompt: true })

  const [request] = await receiver.received(1)
  const pushed = request as NonNullable<typeof request>
  expect(pushed.path).toBe(browser.path)
  expect(browser.decrypt(pushed)).toEqual({ topic, tag: 1108, message: 'sealed' })
  const webKey = await fetch(`${server.url}/push/web-key`)
  expect(await webKey.text()).toBe(verifyVapid(pushed).publicKey)
  expect(webKey.headers.get('access-control-allow-origin')).toBe('*')
  const woken = await connectRelayClient(server.relayUrl, { key })
  await woken.request('irn_subscribe', { topic })
  await woken.until(() => woken.pushes.length > 0)
  expect(woken.messages()).toEqual(['sealed'])
  await Promise.all([woken.close(), dapp.close()])
})

test('a session proposal wakes the wallet', async () => {
  const key = createClientKey()
  const pairingTopic = '2'.repeat(64)
  const browser = receiver.subscribe()
  await send(key, { body: createRegistration(key, { token: browser.token }) })
  const wallet = await connectRelayClient(server.relayUrl, { key })
  await wallet.request('irn_subscribe', { topic: pairingTopic })
  await wallet.close()
  const before = receiver.requests.length
  const dapp = await connectRelayClient(server.relayUrl)
  await dapp.request('wc_proposeSession', { pairingTopic, sessionProposal: 'proposal' })
  const request = (await receiver.received(before + 1)).at(-1)
  expect(browser.decrypt(request as NonNullable<typeof request>)).toMatchObject({ tag: 1100, message: 'proposal' })
  await dapp.close()
})

describe('a registration', () => {
  const key = createClientKey()
  const stranger = createClientKey()

  test.each<[what: string, options: () => RequestOptions, status: number]>([
    ['the token of another client', () => ({ token: signToken(stranger), body: createRegistration(key) }), 403],
    ['no token', () => ({ token: '', body: createRegistration(key) }), 401],
    [
      'a token with a changed claim',
      () => ({ token: signToken(key).replace(/\.[^.]+\./, '.e30.'), body: createRegistration(key) }),
      401,
    ],
    [
      'an expired token',
      () => ({ token: signToken(key, { claims: { iat: 1_000, exp: 2_000 } }), body: createRegistration(key) }),
      401,
    ],
    ['no project', () => ({ path: '/clients', body: createRegistration(key) }), 401],
    ['a project id that is not one', () => ({ path: '/project/clients', body: createRegistration(key) }), 401],
    ['another origin', () => ({ headers: { origin: 'https://evil.example' }, body: createRegistration(key) }), 403],
    ['another service', () => ({ body: createRegistration(key, { type: 'fcm' }) }), 400],
    ['no token of a service', () => ({ body: createRegistration(key, { token: '' }) }), 400],
    ['2,049 characters', () => ({ body: createRegistration(key, { token: 'x'.repeat(2_049) }) }), 400],
    ['9 kB', () => ({ body: createRegistration(key, { extra: 'x'.repeat(9_000) }) }), 413],
  ])('with %s is refused', async (_what, options, status) => {
    expect((await send(key, options())).status).toBe(status)
  })

  test('is accepted at the path of the specification as well', async () => {
    const search = new URLSearchParams({ projectId: testProjectId, auth: signToken(key) })
    const response = await fetch(`${server.url}/clients?${search}`, {
      method: 'POST',
      body: JSON.stringify(createRegistration(key)),
    })
    expect(response.status).toBe(200)
  })

  test('is removed by its client only', async () => {
    await send(key, { body: createRegistration(key) })
    const path = `/${testProjectId}/clients/${encodeURIComponent(key.clientId)}`
    expect((await send(stranger, { path, method: 'DELETE' })).status).toBe(403)
    expect(await send(key, { path, method: 'DELETE' })).toEqual({ status: 200, body: { status: 'OK' } })
    // Idempotent.
    expect((await send(key, { path, method: 'DELETE' })).status).toBe(200)
  })

  test('can be changed by wallets in pages, which send a preflight request', async () => {
    const headers = {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'authorization',
    }
    const response = await fetch(`${server.url}/${testProjectId}/clients/a`, { method: 'OPTIONS', headers })
    expect(response.headers.get('access-control-allow-methods')).toContain('DELETE')
  })
})

test('a relay without a contact has no gateway', async () => {
  const plain = await startTestServer()
  try {
    const key = createClientKey()
    const init = { method: 'POST', headers: { authorization: `Bearer ${signToken(key)}` }, body: '{}' }
    expect((await fetch(`${plain.url}/${testProjectId}/clients`, init)).status).toBe(404)
    expect((await fetch(`${plain.url}/push/web-key`)).status).toBe(404)
  } finally {
    await plain.close()
  }
})
