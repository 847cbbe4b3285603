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
import { startLoginServices, testFrameUrl, type LoginServices } from '../../testing/loginServices.ts'
import { computeFarcasterNonce } from '../../custody/identity/computeFarcasterNonce.ts'
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
})
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
    const configured = { farcaster: { rpcUrl: farcaster.rpcUrl } }
    const parts = { auth: configured, shares: configured }
    services = await startLoginServices({ mailUrl: mail.url, layout, clock, parts })
  })
  afterAll(async () => {
    await services.close()
    await mail.close()
  })

  async function begin(twin?: LoginClient) {
    const client = await createLoginClient(services.authUrl, { clock, ...(twin && { twin }) })
    const shares = await createLoginClient(services.sharesUrl, { twin: client, clock })
    const sendRequest = { projectId, origin }
    const { challenge: authChallenge } = (await client.request('POST', '/auth/v1/farcaster/begin', sendRequest)).body
    const { challenge: sharesChallenge } = (await shares.request('POST', '/shares/v1/farcaster/begin', sendRequest))
      .body
    const challenges = { authChallenge: String(authChallenge), sharesChallenge: String(sharesChallenge) }
    return { client, shares, ...challenges, nonce: computeFarcasterNonce({ key: client.key, ...challenges }) }
  }
  type Begun = Pick<Awaited<ReturnType<typeof begin>>, 'client' | 'authChallenge' | 'sharesChallenge'>

  const redeem = ({ client, authChallenge, sharesChallenge }: Begun, signed: object) =>
    client.request('POST', '/auth/v1/farcaster/redeem', {
      challenge: authChallenge,
      sharesChallenge,
      userName: 'ann',
      ...signed,
    })

  /** Returns the fields of this login's message. */
  const requested = (nonce: string) => ({ domain: new URL(testFrameUrl).host, siweUri: testFrameUrl, nonce })

  async function allowed(signer = ann.custody) {
    const login = await begin()
    const signed = await signFarcasterSignIn(requested(login.nonce), { fid: ann.fid, signer })
    return { ...login, signed, response: await redeem(login, signed) }
  }

  test("begin one session after the approval in the application, with the user's name", async () => {
    const login = await allowed()
    expect(login.response.body).toMatchObject({ user: { social: 'farcaster', userName: 'ann' } })
    expect((await redeem(login, login.signed)).status).toBe(404)
  })

  test('show the number of the account instead of a name with other characters', async () => {
    const login = await begin()
    const signed = await signFarcasterSignIn(requested(login.nonce), { fid: ann.fid, signer: ann.custody })
    const { body } = await redeem(login, { ...signed, userName: 'ann\u202e@example' })
    expect(body).toMatchObject({ user: { userName: '101' } })
  })

  test('find the same user by the custody address and by an authorised address', async () => {
    const idOf = async (signer = ann.custody) =>
      ((await allowed(signer)).response.body as { user: { id: string } }).user.id
    const first = await idOf()
    expect(await idOf()).toBe(first)
    expect(await idOf(ann.auth)).toBe(first)
  })

  test('return nothing to another frame, and one result to concurrent requests [A-06]', async () => {
    const login = await begin()
    const signed = await signFarcasterSignIn(requested(login.nonce), { fid: ann.fid, signer: ann.custody })
    const thief = await createLoginClient(services.authUrl, { clock })
    expect((await redeem({ ...login, client: thief }, signed)).status).toBe(404)
    const own = await begin(thief)
    expect((await redeem({ ...own, sharesChallenge: login.sharesChallenge }, signed)).status).toBe(401)
    const replies = await Promise.all(Array.from({ length: 10 }, () => redeem(login, signed)))
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 404)])
  })

  test('refuse a message that was signed before, for another challenge of the same frame [A-06]', async () => {
    const { client, signed, sharesChallenge } = await allowed()
    const next = await begin(client)
    expect((await redeem(next, signed)).status).toBe(401)
    expect((await redeem({ ...next, sharesChallenge }, signed)).status).toBe(401)
  })

  /** Invalid proofs, by their fault. */
  const forgeries: Readonly<Record<string, (nonce: string) => Promise<object>>> = {
    'for another nonce': () => signFarcasterSignIn(requested('00'.repeat(32)), { fid: ann.fid, signer: ann.custody }),
    'for another domain': (nonce) =>
      signFarcasterSignIn({ ...requested(nonce), domain: 'evil.example' }, { fid: ann.fid, signer: ann.custody }),
    'for another address': (nonce) =>
      signFarcasterSignIn(
        { ...requested(nonce), siweUri: 'https://evil.example' },
        { fid: ann.fid, signer: ann.custody },
      ),
    'by an unrelated address': (nonce) => signFarcasterSignIn(requested(nonce), { fid: ann.fid, signer: stranger }),
    'by the owner of another account': (nonce) =>
      signFarcasterSignIn(requested(nonce), { fid: ann.fid, signer: ben.custody }),
    'by an address of another account': (nonce) =>
      signFarcasterSignIn(requested(nonce), { fid: ann.fid, signer: ben.auth }),
    'for an account that does not exist': (nonce) =>
      signFarcasterSignIn(requested(nonce), { fid: 999n, signer: ann.custody }),
    'more than ten minutes ago': (nonce) =>
      signFarcasterSignIn(requested(nonce), {
        fid: ann.fid,
        signer: ann.custody,
        issuedAt: new Date(clock.now() - 605_000),
      }),
    'in the future': (nonce) =>
      signFarcasterSignIn(requested(nonce), {
        fid: ann.fid,
        signer: ann.custody,
        issuedAt: new Date(clock.now() + 90_000),
      }),
    'in the name of another account': async (nonce) => {
      const issuedAt = new Date(clock.now())
      const message = formatFarcasterSignIn(requested(nonce), { fid: ann.fid, address: ann.custody.address, issuedAt })
      return { message, signature: await stranger.signMessage({ message }) }
    },
    'for two accounts': async (nonce) => {
      const issuedAt = new Date(clock.now())
      const one = formatFarcasterSignIn(requested(nonce), { fid: ann.fid, address: ann.custody.address, issuedAt })
      const message = `${one}\n- farcaster://fid/102`
      return { message, signature: await ann.custody.signMessage({ message }) }
    },
  }

  test.each(Object.keys(forgeries))('reject a message that was signed %s', async (what) => {
    const login = await begin()
    const forge = forgeries[what] ?? expect.fail('no such forgery')
    expect((await redeem(login, await forge(login.nonce))).status).toBe(401)
  })

  test('approve a device at the share store, which verifies the message itself, once [K-11]', async () => {
    const { shares, response, signed, authChallenge, sharesChallenge: challenge } = await allowed()
    const { tokens } = response.body as { tokens: { sharesToken: string } }
    shares.use(tokens.sharesToken)
    const find = () => shares.request('POST', '/shares/v1/sets/find', {})
    const approve = (body: object) => shares.request('POST', '/shares/v1/identity/farcaster', { ...signed, ...body })
    expect((await find()).status).toBe(403)
    const other = randomBytes(32).toString('base64url')
    expect((await approve({ challenge, authChallenge: other })).status).toBe(401)
    expect((await approve({ challenge: other, authChallenge })).status).toBe(404)
    expect((await find()).status).toBe(403)
    expect((await approve({ challenge, authChallenge })).status).toBe(200)
    expect((await approve({ challenge, authChallenge })).status).toBe(404)
    expect((await find()).status).toBe(404)
  })

  // This test is the last one, because the services' clocks do not go back.
  test('expire after ten minutes', async () => {
    const login = await begin()
    later += 10 * 60_000 + 1
    const issuedAt = new Date(clock.now())
    const signed = await signFarcasterSignIn(requested(login.nonce), { fid: ann.fid, signer: ann.custody, issuedAt })
    expect((await redeem(login, signed)).status).toBe(404)
  })
})

test('the Farcaster application of the devnet approves a login as a chosen account', async () => {
  const nonce = randomBytes(32).toString('hex')
  const body = JSON.stringify({ domain: 'localhost', siweUri: 'http://localhost', nonce })
  const opened = await fetch(`${farcaster.relayUrl}/v1/channel`, { method: 'POST', body })
  const { url, channelToken } = (await opened.json()) as { url: string; channelToken: string }
  const status = () =>
    fetch(`${farcaster.relayUrl}/v1/channel/status`, { headers: { authorization: `Bearer ${channelToken}` } })
  expect((await status()).status).toBe(202)
  expect(await (await fetch(url)).text()).toContain('Approve as <strong>ben</strong>')
  const form = new URLSearchParams({ fid: '102' })
  expect(await (await fetch(url, { method: 'POST', body: form })).text()).toContain('Approved')
  expect(await (await status()).json()).toMatchObject({ state: 'completed', nonce, fid: 102, username: 'ben' })
  // As at the public relay, the message is returned once.
  expect((await status()).status).toBe(401)
})

test('a service without a node for the accounts refuses logins with Farcaster', async () => {
  const mail = await startMail()
  const services = await startLoginServices({ mailUrl: mail.url })
  const client = await createLoginClient(services.authUrl)
  for (const path of ['/auth/v1/farcaster/begin', '/shares/v1/farcaster/begin']) {
    expect((await client.request('POST', path, { projectId, origin })).status).toBe(400)
  }
  await services.close()
  await mail.close()
})

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
  const check = createFarcasterCheck({ rpcUrl, frameUrl: () => 'https://a.example', clock, timeoutMs: 250 })
  const requested = { domain: 'a.example', siweUri: 'https://a.example', nonce: 'ab'.repeat(8) }
  const signed = await signFarcasterSignIn(requested, { fid: ann.fid, signer: ann.custody })
  await expect(check({ ...signed, nonce: requested.nonce })).rejects.toMatchObject({ status: 503, field: 'chain' })
  slow.closeAllConnections()
  slow.close()
})
