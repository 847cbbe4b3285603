import { createHash, randomBytes } from 'node:crypto'
import {
  startAnvil,
  startFarcaster,
  startMail,
  type Anvil,
  type LocalFarcaster,
  type LocalMail,
} from '@latchkey/devnet'
import {
  createLoginClient,
  openLyingAuth,
  startLoginServices,
  startLyingFront,
  testFrameUrl,
  type LoginClient,
  type LoginServices,
  type LyingAuth,
  type LyingFront,
  type ServiceKeys,
} from '@latchkey/server/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestHolder } from '../../testing/openTestHolder.ts'
import type { HolderUser, KeyHolder } from '../keyHolder.ts'

// The operators of one service, or of the relay, lie to a frame about a login with Farcaster. The user approves whatever link
// the frame shows. The frame, the honest services, the relay and the registries are real.

let mail: LocalMail
let anvil: Anvil
let farcaster: LocalFarcaster
let services: LoginServices
let lyingAuth: LyingAuth
let known: KeyHolder
let fronts: { readonly auth: LyingFront; readonly shares: LyingFront; readonly relay: LyingFront }
const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const domain = new URL(testFrameUrl).host

beforeAll(async () => {
  mail = await startMail()
  anvil = await startAnvil({ chainId: 31_337, port: 0 })
  farcaster = await startFarcaster({ rpcUrl: anvil.rpcUrl })
  const [auth, shares, relay] = [await startLyingFront(), await startLyingFront(), await startLyingFront()]
  fronts = { auth, shares, relay }
  const masterKeys: ServiceKeys = {
    auth: [{ id: 'auth', key: randomBytes(32) }],
    shares: [{ id: 'shares', key: randomBytes(32) }],
  }
  const configured = { farcaster: { rpcUrl: farcaster.rpcUrl } }
  services = await startLoginServices({
    mailUrl: mail.url,
    layout: 'split',
    masterKeys,
    parts: { auth: { ...configured, url: () => auth.url }, shares: { ...configured, url: () => shares.url } },
  })
  auth.forwardTo(services.authUrl)
  shares.forwardTo(services.sharesUrl)
  relay.forwardTo(farcaster.relayUrl)
  const { authDatabaseUrl: databaseUrl } = services
  lyingAuth = await openLyingAuth({ databaseUrl, masterKeys: masterKeys.auth, clock: { now: Date.now } })
  known = await openBrowser()
})
beforeEach(() => {
  for (const front of Object.values(fronts)) front.lie(() => undefined)
})
afterAll(async () => {
  await lyingAuth.close()
  await services.close()
  for (const front of Object.values(fronts)) await front.close()
  await farcaster.close()
  await anvil.close()
  await mail.close()
})

function openBrowser(): Promise<KeyHolder> {
  return openTestHolder({
    authUrl: fronts.auth.url,
    sharesUrl: fronts.shares.url,
    farcaster: { relayUrl: fronts.relay.url, frameUrl: testFrameUrl },
  })
}

async function approve(url: string): Promise<void> {
  const body = new URLSearchParams({ fid: '101' })
  expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
}

/** The owner logs in on the device that created the wallet. */
async function logIn(): Promise<HolderUser> {
  const { url } = await known.beginFarcaster({ origin })
  const ended = known.awaitFarcaster()
  await approve(url)
  const result = await ended
  return 'user' in result ? result.user : expect.fail('no user')
}

/** A frame of the attacker, with a session of the victim that the lying auth service issued. */
async function openThief(user: string): Promise<LoginClient> {
  const thief = await createLoginClient(fronts.shares.url)
  const { sharesToken } = await lyingAuth.forgeLogin({ user, key: thief.key, methods: ['farcaster', 'passkey'] })
  thief.use(sharesToken)
  return thief
}

const challengeFor = async (client: LoginClient, service: 'auth' | 'shares'): Promise<string> =>
  String((await client.request('POST', `/${service}/v1/farcaster/begin`, { projectId, origin })).body['challenge'])

const nonceOf = (key: string, authChallenge: string, sharesChallenge: string): string =>
  createHash('sha256').update(['latchkey/farcaster/1', key, authChallenge, sharesChallenge].join('\n')).digest('hex')

type Channel = { readonly url: string; readonly channelToken: string; readonly nonce: string }

/** A channel of the attacker. */
async function openChannel(nonce: string, fields: object = {}): Promise<Channel> {
  const body = JSON.stringify({ domain, siweUri: testFrameUrl, nonce, ...fields })
  return (await (await fetch(`${farcaster.relayUrl}/v1/channel`, { method: 'POST', body })).json()) as Channel
}

type Signed = { readonly message: string; readonly signature: string }

async function findSigned({ channelToken }: Channel): Promise<Partial<Signed>> {
  const headers = { authorization: `Bearer ${channelToken}` }
  const status = await fetch(`${farcaster.relayUrl}/v1/channel/status`, { headers })
  return (await status.json()) as Partial<Signed>
}

/** Returns the login of the owner as the lying auth service saw it. */
function lastRedeemed(): Signed & { readonly challenge: string; readonly sharesChallenge: string } {
  const request = fronts.auth.requests.findLast(({ path }) => path === '/auth/v1/farcaster/redeem')
  return request?.body as Signed & { challenge: string; sharesChallenge: string }
}

async function isOpen(thief: LoginClient): Promise<boolean> {
  const attempts = [
    await thief.request('POST', '/shares/v1/sets/find', {}),
    await thief.request('POST', '/shares/v1/auto', {}),
    await thief.request('POST', '/shares/v1/ways/list', {}),
  ]
  return attempts.some(({ status }) => status !== 403)
}

const prove = (thief: LoginClient, proof: object) => thief.request('POST', '/shares/v1/identity/farcaster', proof)

describe('an auth service that lies about a login with Farcaster', () => {
  test('gets no access by the link of a channel with a nonce of its own [K-11]', async () => {
    const { id: user } = await logIn()
    const thief = await openThief(user)
    const [authChallenge, challenge] = [randomBytes(32).toString('base64url'), await challengeFor(thief, 'shares')]
    const channel = await openChannel(nonceOf(thief.key, authChallenge, challenge))
    fronts.auth.lie(({ path }, response) =>
      path === '/auth/v1/farcaster/begin'
        ? { ...response, ...channel, id: '0', token: channel.channelToken }
        : undefined,
    )
    await logIn()
    const signed = await findSigned(channel)
    expect(signed.message).toBeUndefined()
    expect((await prove(thief, { ...lastRedeemed(), challenge, authChallenge })).status).not.toBe(200)
    expect(await isOpen(thief)).toBe(false)
  })

  test('gets no access with the message that the owner signed for another key [K-11]', async () => {
    const { id: user } = await logIn()
    const { message, signature, challenge: authChallenge, sharesChallenge } = lastRedeemed()
    const thief = await openThief(user)
    const own = await challengeFor(thief, 'shares')
    expect((await prove(thief, { message, signature, challenge: own, authChallenge })).status).toBe(401)
    expect((await prove(thief, { message, signature, challenge: sharesChallenge, authChallenge })).status).toBe(404)
    expect(await isOpen(thief)).toBe(false)
  })

  test('can’t choose a challenge that makes two logins sign the same message [K-11]', async () => {
    const { id: user } = await logIn()
    const before = lastRedeemed()
    fronts.auth.lie(({ path }) => (path === '/auth/v1/farcaster/begin' ? { challenge: before.challenge } : undefined))
    const holder = await openBrowser()
    const { url } = await holder.beginFarcaster({ origin })
    const ended = holder.awaitFarcaster()
    await approve(url)
    // Its own service refuses the used challenge, and the share store has issued another one.
    await expect(ended).rejects.toMatchObject({ status: 404, field: 'challenge' })
    expect(lastRedeemed().message).not.toBe(before.message)
    expect(lastRedeemed().sharesChallenge).not.toBe(before.sharesChallenge)
    const thief = await openThief(user)
    const { message, signature, challenge, sharesChallenge } = lastRedeemed()
    expect(
      (await prove(thief, { message, signature, challenge: sharesChallenge, authChallenge: challenge })).status,
    ).toBe(404)
    expect(await isOpen(thief)).toBe(false)
  })

  test('gets no access with a message for another domain [K-11]', async () => {
    const { id: user } = await logIn()
    const thief = await openThief(user)
    const [authChallenge, challenge] = [randomBytes(32).toString('base64url'), await challengeFor(thief, 'shares')]
    const elsewhere = { domain: 'evil.localhost', siweUri: 'http://evil.localhost' }
    const channel = await openChannel(nonceOf(thief.key, authChallenge, challenge), elsewhere)
    // The owner approves a login at another site, which the attacker runs.
    await approve(channel.url)
    const { message, signature } = await findSigned(channel)
    expect((await prove(thief, { message, signature, challenge, authChallenge })).status).toBe(401)
    expect(await isOpen(thief)).toBe(false)
  })

  test.each(['', 'a\nb', 'A'.repeat(42), 7])('gets no login with the malformed challenge %j', async (challenge) => {
    fronts.auth.lie(({ path }) => (path === '/auth/v1/farcaster/begin' ? { challenge } : undefined))
    await expect((await openBrowser()).beginFarcaster({ origin })).rejects.toThrow('The response has no challenge.')
  })
})

describe('a share store that lies about a login with Farcaster', () => {
  test('gets no session with the message that the owner signed for another key [K-11]', async () => {
    const thief = await createLoginClient(fronts.auth.url)
    const authChallenge = await challengeFor(thief, 'auth')
    const sharesChallenge = randomBytes(32).toString('base64url')
    fronts.shares.lie(({ path }) =>
      path === '/shares/v1/farcaster/begin' ? { challenge: sharesChallenge } : undefined,
    )
    const holder = await openBrowser()
    const { url } = await holder.beginFarcaster({ origin })
    const ended = holder.awaitFarcaster()
    await approve(url)
    await ended.catch(() => undefined)
    const { message, signature, challenge } = lastRedeemed()
    for (const own of [authChallenge, challenge]) {
      const login = { challenge: own, sharesChallenge, message, signature }
      expect((await thief.request('POST', '/auth/v1/farcaster/redeem', login)).status).not.toBe(200)
    }
  })
})

describe('a relay that lies', () => {
  test('is refused if its channel has another nonce [K-11]', async () => {
    fronts.relay.lie(({ path }, response) =>
      path === '/v1/channel' ? { ...response, nonce: 'ab'.repeat(32) } : undefined,
    )
    await expect((await openBrowser()).beginFarcaster({ origin })).rejects.toMatchObject({ field: 'nonce' })
  })

  test.each([
    ['names another channel', (token: string) => `https://farcaster.example/?channelToken=${token}x`],
    ['names another nonce', (token: string) => `https://farcaster.example/?channelToken=${token}&nonce=00000000`],
    ['names another domain', (token: string) => `https://farcaster.example/?channelToken=${token}&domain=evil.example`],
    ['runs a script', (token: string) => `javascript:alert(1)//?channelToken=${token}`],
    ['is not encrypted', (token: string) => `http://farcaster.example/?channelToken=${token}`],
  ])('is refused if its link %s', async (_what, link) => {
    fronts.relay.lie(({ path }, response) => {
      if (path !== '/v1/channel' || !('channelToken' in response)) return undefined
      return { ...response, url: link(String(response.channelToken)) }
    })
    await expect((await openBrowser()).beginFarcaster({ origin })).rejects.toMatchObject({ field: 'nonce' })
  })

  test.each([
    ['for another nonce', /Nonce: \w+/, `Nonce: ${'00'.repeat(32)}`],
    ['for another domain', /^\S+ wants/, 'evil.example wants'],
    ['for another address', /URI: \S+/, 'URI: https://evil.example'],
    ['with two nonces', /\nVersion/, `\nNonce: ${'00'.repeat(32)}\nVersion`],
  ])('can’t pass a message %s to a service', async (_what, pattern, replacement) => {
    const holder = await openBrowser()
    const { url } = await holder.beginFarcaster({ origin })
    await approve(url)
    fronts.relay.lie((_request, response) => {
      if (!('message' in response)) return undefined
      return { ...response, message: String(response.message).replace(pattern, replacement) }
    })
    const before = fronts.auth.requests.length
    await expect(holder.awaitFarcaster()).rejects.toMatchObject({ field: 'nonce' })
    expect(fronts.auth.requests).toHaveLength(before)
  })
})

test('a frame without a relay refuses logins with Farcaster', async () => {
  const { auth, shares } = fronts
  const holder = await openTestHolder({ authUrl: auth.url, sharesUrl: shares.url })
  await expect(holder.beginFarcaster({ origin })).rejects.toMatchObject({ status: 400, field: 'provider' })
})

test('the frame keeps the message that the relay returns once while a service is down', async () => {
  const { url } = await known.beginFarcaster({ origin })
  await approve(url)
  fronts.auth.forwardTo('http://127.0.0.1:1')
  await expect(known.awaitFarcaster()).rejects.toMatchObject({ code: 'http/invalid-response' })
  fronts.auth.forwardTo(services.authUrl)
  expect(await known.awaitFarcaster()).toMatchObject({ user: { userName: 'ann' } })
})
