import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import {
  farcasterPeople,
  signFarcasterSignIn,
  startAnvil,
  startFarcaster,
  startMail,
  formatFarcasterSignIn,
  type Anvil,
  type LocalFarcaster,
  type LocalMail,
} from '@latchkey/devnet'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { computeNonce } from '../../custody/identity/verifyIdToken.ts'
import { createFarcasterCheck } from '../../custody/identity/farcasterCheck.ts'

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const [ann, ben] = farcasterPeople()
const stranger = privateKeyToAccount(generatePrivateKey())

let anvil: Anvil
let farcaster: LocalFarcaster
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337, port: 0 })
  farcaster = await startFarcaster({ rpcUrl: anvil.rpcUrl })
}, 60_000)
afterAll(async () => {
  await farcaster.close()
  await anvil.close()
})

describe.each(['one', 'split'] as const)('logins with a Farcaster account, in layout %s', (layout) => {
  let mail: LocalMail
  let services: LoginServices
  let later = 0
  const clock = { now: () => Date.now() + later }

  // Requests are limited per client, and all tests run on one client.
  beforeEach(() => {
    later += 10_000
  })
  beforeAll(async () => {
    mail = await startMail()
    const { appUrl, rpcUrl } = farcaster
    const told = { farcaster: { appUrl, rpcUrl, domain: 'login.example.org' } }
    services = await startLoginServices({ mailUrl: mail.url, layout, clock, parts: { auth: told, shares: told } })
  }, 60_000)
  afterAll(async () => {
    await services.close()
    await mail.close()
  })

  async function begin() {
    const client = await createLoginClient(services.authUrl, { clock })
    const random = randomBytes(32)
    const nonce = computeNonce(client.key, random).toString('hex')
    const { status, body } = await client.ask('POST', '/auth/v1/farcaster/begin', { projectId, origin, nonce })
    expect(status).toBe(200)
    const { id, url } = body as { id: string; url: string }
    const token = new URL(url).searchParams.get('channelToken') ?? ''
    return { client, id, url, nonce, token, random: random.toString('base64url') }
  }

  const redeem = (client: LoginClient, id: string) => client.ask('POST', '/auth/v1/farcaster/redeem', { id })

  /** Approves a link as the application does. */
  async function bring(token: string, signed: object, fid = 101): Promise<number> {
    const { status } = await fetch(`${services.authUrl}/v1/channel/authenticate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ fid, username: 'ann', ...signed }),
    })
    return status
  }

  const status = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${services.authUrl}/v1/channel/status`, { headers })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  /** Returns the fields of this login's message. */
  const asked = (nonce: string) => ({ domain: 'login.example.org', siweUri: 'https://login.example.org', nonce })

  async function allowed(signer = ann.custody) {
    const login = await begin()
    await bring(login.token, await signFarcasterSignIn(asked(login.nonce), { fid: ann.fid, signer }))
    return { ...login, answer: await redeem(login.client, login.id) }
  }

  test("begin one session after the approval in the application, with the user's name", async () => {
    const { client, id, url, token } = await begin()
    expect(url.startsWith(`${farcaster.appUrl}?channelToken=`)).toBe(true)
    expect((await redeem(client, id)).body).toEqual({ state: 'waiting' })
    expect(await status(token)).toMatchObject({ status: 202, body: { state: 'pending' } })
    const signed = await signFarcasterSignIn(asked(await nonceAt(token)), { fid: ann.fid, signer: ann.custody })
    expect(await bring(token, signed)).toBe(201)
    expect(await status(token)).toMatchObject({ status: 200, body: { state: 'completed', ...signed } })
    const { body } = await redeem(client, id)
    expect(body).toMatchObject({ state: 'done', user: { social: 'farcaster', userName: 'ann' }, signed })
    expect((await redeem(client, id)).status).toBe(404)
  })

  const nonceAt = async (token: string): Promise<string> => String((await status(token)).body['nonce'])

  test('find the same user by the custody address and by an authorised address', async () => {
    const idOf = async (signer = ann.custody) =>
      ((await allowed(signer)).answer.body as { user: { id: string } }).user.id
    const first = await idOf()
    expect(await idOf()).toBe(first)
    expect(await idOf(ann.auth)).toBe(first)
  })

  test('accept one response per existing channel', async () => {
    const { token, nonce } = await begin()
    const signed = await signFarcasterSignIn(asked(nonce), { fid: ann.fid, signer: ann.custody })
    expect(await bring('A'.repeat(32), signed)).toBe(401)
    expect(await bring(token, signed)).toBe(201)
    expect(await bring(token, signed)).toBe(401)
  })

  test('return nothing to another frame, and one result to concurrent requests [A-06]', async () => {
    const login = await begin()
    await bring(login.token, await signFarcasterSignIn(asked(login.nonce), { fid: ann.fid, signer: ann.custody }))
    const thief = await createLoginClient(services.authUrl, { clock })
    expect((await redeem(thief, login.id)).status).toBe(404)
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(login.client, login.id)))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 404)])
  })

  /** Invalid proofs, by their fault. */
  const forgeries: Readonly<Record<string, (nonce: string) => Promise<object>>> = {
    'for another nonce': () => signFarcasterSignIn(asked('00'.repeat(32)), { fid: ann.fid, signer: ann.custody }),
    'for another domain': (nonce) =>
      signFarcasterSignIn({ ...asked(nonce), domain: 'evil.example' }, { fid: ann.fid, signer: ann.custody }),
    'for another address': (nonce) =>
      signFarcasterSignIn({ ...asked(nonce), siweUri: 'https://evil.example' }, { fid: ann.fid, signer: ann.custody }),
    'by an unrelated address': (nonce) => signFarcasterSignIn(asked(nonce), { fid: ann.fid, signer: stranger }),
    'by the owner of another account': (nonce) =>
      signFarcasterSignIn(asked(nonce), { fid: ann.fid, signer: ben.custody }),
    'by an address of another account': (nonce) =>
      signFarcasterSignIn(asked(nonce), { fid: ann.fid, signer: ben.auth }),
    'for an account that does not exist': (nonce) =>
      signFarcasterSignIn(asked(nonce), { fid: 999n, signer: ann.custody }),
    'more than ten minutes ago': (nonce) =>
      signFarcasterSignIn(asked(nonce), {
        fid: ann.fid,
        signer: ann.custody,
        issuedAt: new Date(clock.now() - 605_000),
      }),
    'in the future': (nonce) =>
      signFarcasterSignIn(asked(nonce), {
        fid: ann.fid,
        signer: ann.custody,
        issuedAt: new Date(clock.now() + 90_000),
      }),
    'in the name of another account': async (nonce) => {
      const issuedAt = new Date(clock.now())
      const message = formatFarcasterSignIn(asked(nonce), { fid: ann.fid, address: ann.custody.address, issuedAt })
      return { message, signature: await stranger.signMessage({ message }) }
    },
    'for two accounts': async (nonce) => {
      const issuedAt = new Date(clock.now())
      const one = formatFarcasterSignIn(asked(nonce), { fid: ann.fid, address: ann.custody.address, issuedAt })
      const message = `${one}\n- farcaster://fid/102`
      return { message, signature: await ann.custody.signMessage({ message }) }
    },
  }

  test.each(Object.keys(forgeries))('reject a message that was signed %s', async (what) => {
    const login = await begin()
    const forge = forgeries[what] ?? expect.fail('no such forgery')
    expect(await bring(login.token, await forge(login.nonce))).toBe(201)
    expect((await redeem(login.client, login.id)).status).toBe(401)
  })

  test('approve a device at the share store, which verifies the signature itself [K-11]', async () => {
    const { client, answer, random } = await allowed()
    const { tokens, signed } = answer.body as { tokens: { sharesToken: string }; signed: object }
    const shares = await createLoginClient(services.sharesUrl, { twin: client, clock })
    shares.use(tokens.sharesToken)
    const find = () => shares.ask('POST', '/shares/v1/sets/find', {})
    expect((await find()).status).toBe(403)
    const other = randomBytes(32).toString('base64url')
    const wrong = await shares.ask('POST', '/shares/v1/identity/farcaster', { ...signed, random: other })
    expect(wrong.status).toBe(401)
    expect((await find()).status).toBe(403)
    expect((await shares.ask('POST', '/shares/v1/identity/farcaster', { ...signed, random })).status).toBe(200)
    expect((await find()).status).toBe(404)
  })

  // This test is the last one, because the services' clocks do not go back.
  test('expire after ten minutes', async () => {
    const { client, id, token } = await begin()
    later += 10 * 60_000 + 1
    expect((await status(token)).status).toBe(401)
    expect((await redeem(client, id)).status).toBe(404)
  })
})

test('the Farcaster application of the devnet approves a login as a chosen account', async () => {
  const mail = await startMail()
  const { appUrl, rpcUrl } = farcaster
  const services = await startLoginServices({ mailUrl: mail.url, parts: { auth: { farcaster: { appUrl, rpcUrl } } } })
  const client = await createLoginClient(services.authUrl)
  const nonce = computeNonce(client.key, randomBytes(32)).toString('hex')
  const { body } = await client.ask('POST', '/auth/v1/farcaster/begin', { projectId, origin, nonce })
  expect(await (await fetch(String(body['url']))).text()).toContain('Approve as <strong>ben</strong>')
  const form = new URLSearchParams({ fid: '102' })
  expect(await (await fetch(String(body['url']), { method: 'POST', body: form })).text()).toContain('Approved')
  const done = await client.ask('POST', '/auth/v1/farcaster/redeem', { id: body['id'] })
  expect(done.body).toMatchObject({ state: 'done', user: { userName: 'ben' } })
  await services.close()
  await mail.close()
}, 60_000)

test('a login uses the relay of the application if it is another one', async () => {
  const mail = await startMail()
  const { appUrl, rpcUrl } = farcaster
  const relay = await startLoginServices({ mailUrl: mail.url, parts: { auth: { farcaster: { appUrl, rpcUrl } } } })
  const domain = new URL(relay.authUrl).host
  const far = { rpcUrl, relayUrl: relay.authUrl, domain }
  const services = await startLoginServices({ mailUrl: mail.url, parts: { auth: { farcaster: far } } })
  const client = await createLoginClient(services.authUrl)
  const nonce = computeNonce(client.key, randomBytes(32)).toString('hex')
  const { body } = await client.ask('POST', '/auth/v1/farcaster/begin', { projectId, origin, nonce })
  const redeem = () => client.ask('POST', '/auth/v1/farcaster/redeem', { id: body['id'] })
  expect((await redeem()).body).toEqual({ state: 'waiting' })
  const channelToken = new URL(String(body['url'])).searchParams.get('channelToken') ?? ''
  const signed = await signFarcasterSignIn(
    { domain, siweUri: `https://${domain}`, nonce },
    { fid: ann.fid, signer: ann.custody },
  )
  await fetch(`${relay.authUrl}/v1/channel/authenticate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${channelToken}` },
    body: JSON.stringify({ ...signed, fid: 101, username: 'ann' }),
  })
  expect((await redeem()).body).toMatchObject({ state: 'done', user: { userName: 'ann' } })
  expect((await client.ask('POST', '/v1/channel', {})).status).toBe(404)
  const again = await client.ask('POST', '/auth/v1/farcaster/begin', { projectId, origin, nonce })
  await relay.close()
  expect((await client.ask('POST', '/auth/v1/farcaster/redeem', { id: again.body['id'] })).status).toBe(502)
  expect((await client.ask('POST', '/auth/v1/farcaster/begin', { projectId, origin, nonce })).status).toBe(502)
  await services.close()
  await mail.close()
}, 60_000)

test.each([
  ['does not respond', undefined],
  ['delays each response', 150],
])('a chain that %s is awaited for the timeout only, and the outage is reported', async (_what, delay) => {
  const slow = createServer((request, response) => {
    if (delay === undefined) return
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const { id } = JSON.parse(body) as { id: number }
      setTimeout(() => response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${'00'.repeat(64)}` })), delay)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => slow.once('listening', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = slow.address() as AddressInfo
  const clock = { now: () => Date.now() }
  const rpcUrl = `http://127.0.0.1:${port}`
  const check = createFarcasterCheck({ rpcUrl, domain: () => 'a.example', clock, timeoutMs: 250 })
  const asked = { domain: 'a.example', siweUri: 'https://a.example', nonce: 'ab'.repeat(8) }
  const signed = await signFarcasterSignIn(asked, { fid: ann.fid, signer: ann.custody })
  await expect(check({ ...signed, nonce: asked.nonce })).rejects.toMatchObject({ status: 503, field: 'chain' })
  slow.closeAllConnections()
  slow.close()
})
