import {
  connect,
  createLatchkey,
  memoryStorage,
  serverSignIn,
  signIn,
  signOut,
  start,
  type SignIn,
} from '@latchkey/core'
import { getRejection, fakeAdapter, fakeConnector, fakeNetwork } from '@latchkey/core/fakes'
import type { SignInSession } from '@latchkey/protocol'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { verifySignIn } from './verifySignIn.ts'

const key = privateKeyToAccount(`0x${'22'.repeat(32)}`)
const domain = 'app.example'

/** The server of an app, as `docs/sign-in.md` describes it, for one user. */
function appServer(): Server & { sessions: SignInSession[]; nonces: Set<string>; requests: string[] } {
  const [sessions, nonces, requests]: [SignInSession[], Set<string>, string[]] = [[], new Set(), []]

  async function respond(method: string, url: URL, body: string): Promise<[number, unknown]> {
    requests.push(`${method} ${url.pathname}`)
    if (url.pathname === '/sign-in/nonce') {
      const nonce = crypto.randomUUID().replaceAll('-', '')
      nonces.add(nonce)
      return [200, { nonce }]
    }
    if (url.pathname === '/sign-in/verify') return verify(JSON.parse(body).sessions)
    const { chainId, accountAddress } = Object.fromEntries(url.searchParams)
    if (method === 'GET') return [200, { sessions }]
    const isLeft = ({ data }: SignInSession): boolean =>
      chainId === undefined || (data.chainId === chainId && data.accountAddress === accountAddress)
    sessions.splice(0, sessions.length, ...sessions.filter((session) => !isLeft(session)))
    return [204, undefined]
  }

  async function verify(signed: SignInSession[]): Promise<[number, unknown]> {
    for (const each of signed) {
      const nonce = /\nNonce: (\w+)\n/.exec(each.message)?.[1] ?? ''
      if (!nonces.delete(nonce)) return [401, { reason: 'the nonce is not one of ours' }]
      const proof = await verifySignIn(each, { nonce, domain, now: Date.now() })
      if (!proof.valid) return [401, { reason: proof.reason }]
      sessions.push({ ...each, data: proof.data })
    }
    return [200, {}]
  }

  const server = createServer((request, response) => {
    void read(request).then(async (body) => {
      const [status, responseBody] = await respond(request.method ?? '', new URL(request.url ?? '', 'http://x'), body)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(responseBody))
    })
  })
  return Object.assign(server, { sessions, nonces, requests })
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

let server: ReturnType<typeof appServer>
let url: string
const stops: Array<() => void> = []

beforeEach(async () => {
  server = appServer()
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  // A server that listens on a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sign-in`
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

/** A user with a real key, who has just connected. */
async function createUser(more: Partial<SignIn> = {}) {
  const siwx: SignIn = {
    ...serverSignIn({ url, domain, uri: 'https://app.example' }),
    signMessage: ({ message }) => key.signMessage({ message }),
    ...more,
  }
  const wallet = fakeConnector({ accounts: [`eip155:31337:${key.address}`] })
  const adapters = [fakeAdapter({ networks: [fakeNetwork({ namespace: 'eip155', id: 31337 })] })]
  const latchkey = createLatchkey({ adapters, connectors: [wallet], siwx, storage: memoryStorage() })
  stops.push(start(latchkey))
  await connect(latchkey, 'fake')
  return latchkey
}

test('a user signs in on the app’s server, stays signed in and signs out', async () => {
  const latchkey = await createUser()
  await expect.poll(() => latchkey.signIn.getState().status).toBe('unsigned')
  const session = await signIn(latchkey)
  expect(server.sessions).toEqual([session])
  expect(server.requests).toEqual(['GET /sign-in/session', 'GET /sign-in/nonce', 'POST /sign-in/verify'])

  const later = await createUser()
  await expect.poll(() => later.signIn.getState()).toMatchObject({ status: 'signed', session })
  await signOut(later)
  expect(server.sessions).toEqual([])
})

test('a nonce is accepted once, and only if the server created it', async () => {
  const latchkey = await createUser()
  const { message, signature, data } = await signIn(latchkey)
  const siwx = serverSignIn({ url, domain, uri: 'https://app.example' })
  for (const each of [
    { message, signature, data },
    { data, signature, message: message.replace(data.nonce, 'a'.repeat(32)) },
  ]) {
    expect(await getRejection(siwx.addSession(each))).toMatchObject({
      code: 'sign-in/refused',
      context: { reason: 'the nonce is not one of ours' },
    })
  }
})

test('a signature of another account is refused with the server’s message', async () => {
  const other = privateKeyToAccount(`0x${'33'.repeat(32)}`)
  const latchkey = await createUser({ signMessage: ({ message }) => other.signMessage({ message }) })
  expect(await getRejection(signIn(latchkey))).toMatchObject({
    code: 'sign-in/refused',
    context: { reason: 'wrong-signature' },
  })
  expect(server.sessions).toEqual([])
  expect(latchkey.signIn.getState().status).toBe('unsigned')
})

test('a read that got no response in time is sent once more', async () => {
  const ends: (() => void)[] = []
  const clock = {
    now: () => Date.now(),
    after: (_milliseconds: number, run: () => void) => {
      ends.push(run)
      return () => {}
    },
  }
  const { requests } = server
  const listeners = server.listeners('request')
  let isSilent = true
  server.removeAllListeners('request').on('request', (request, response) => {
    if (isSilent) requests.push('no response')
    else for (const listener of listeners) listener.call(server, request, response)
  })
  const siwx = serverSignIn({ url, domain, clock })
  const sessions = siwx.getSessions('eip155:1', key.address)
  await expect.poll(() => requests).toEqual(['no response'])
  isSilent = false
  ends[0]?.()
  expect(await sessions).toEqual([])
  expect(requests).toEqual(['no response', 'GET /sign-in/session'])

  isSilent = true
  const failure = getRejection(siwx.getSessions('eip155:1', key.address))
  await expect.poll(() => ends).toHaveLength(3)
  ends[2]?.()
  await expect.poll(() => ends).toHaveLength(4)
  ends[3]?.()
  expect(await failure).toMatchObject({ code: 'http/unreachable' })
  expect(ends).toHaveLength(4)
})

test('sign-in rejects if the server is down or not a Latchkey server', async () => {
  const down = serverSignIn({ url: 'http://127.0.0.1:9', domain })
  const sendRequest = { chainId: 'eip155:1', accountAddress: key.address } as const
  const failure = getRejection(Promise.resolve(down.createMessage(sendRequest)))
  expect(await failure).toMatchObject({ code: 'http/unreachable', context: { origin: 'http://127.0.0.1:9' } })
  const elsewhere = serverSignIn({ url: `${url}/session`, domain })
  expect(await getRejection(Promise.resolve(elsewhere.createMessage(sendRequest)))).toMatchObject({
    code: 'http/invalid-response',
  })
})

test('sign-in rejects with the error of the app’s own fetch, including one of another copy of the protocol package', async () => {
  vi.resetModules()
  const copy = await import('@latchkey/protocol')
  const error = copy.httpError('http/status', { status: 429 })
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  globalThis.fetch = () => Promise.reject(error)
  const request = { chainId: 'eip155:1', accountAddress: key.address } as const
  expect(await getRejection(Promise.resolve(serverSignIn({ url, domain }).createMessage(request)))).toBe(error)
})
