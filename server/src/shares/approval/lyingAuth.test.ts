import { randomBytes, randomUUID } from 'node:crypto'
import {
  signFarcasterSignIn,
  startAnvil,
  startFarcaster,
  startIdentity,
  startMail,
  type Anvil,
  type LocalFarcaster,
  type LocalIdentity,
  type LocalMail,
} from '@latchkey/devnet'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { socialProviders, type SocialProvider } from '../../custody/identity/socialProviders.ts'
import { computeNonce } from '../../custody/identity/verifyIdToken.ts'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { openLyingAuth, type LyingAuth } from '../../testing/lyingAuth.ts'
import { comeBack, visitForCode, visitProvider } from '../../testing/visitProvider.ts'

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const methods = ['email', 'farcaster', ...socialProviders] as const
type Method = (typeof methods)[number]

const bytes = (count: number): string => randomBytes(count).toString('base64url')
const walletSet = () => ({
  walletId: bytes(16),
  setId: bytes(16),
  epoch: 1,
  share: bytes(120),
  vault: bytes(100),
  wraps: [{ id: 'auto', method: 'auto', wrapped: bytes(60), facts: '{}' }],
})

let mail: LocalMail
let identity: LocalIdentity
let anvil: Anvil
let farcaster: LocalFarcaster
let services: LoginServices
let lyingAuth: LyingAuth
let later = 0
const clock = { now: () => Date.now() + later }

let run = 0
const addressOf = (person: 'owner' | 'thief', method: Method): string => `${person}-${method}-${run}@example.org`

beforeEach(() => {
  run += 1
})
beforeAll(async () => {
  mail = await startMail()
  identity = await startIdentity()
  anvil = await startAnvil({ chainId: 31_337, port: 0 })
  farcaster = await startFarcaster({ rpcUrl: anvil.rpcUrl })
  const masterKeys = {
    auth: [{ id: 'auth', key: randomBytes(32) }],
    shares: [{ id: 'shares', key: randomBytes(32) }],
  } as const
  const { appUrl, rpcUrl } = farcaster
  // All tests run on one client.
  const rateLimiters = createInProcessRateLimiters({ now: () => Date.now() * 1_000 })
  const configured = { farcaster: { appUrl, rpcUrl } }
  services = await startLoginServices({
    mailUrl: mail.url,
    layout: 'split',
    clock,
    socials: identity.socials,
    masterKeys,
    parts: { auth: { ...configured, rateLimiters }, shares: { ...configured, rateLimiters } },
  })
  lyingAuth = await openLyingAuth({ databaseUrl: services.authDatabaseUrl, masterKeys: masterKeys.auth, clock })
}, 60_000)
afterAll(async () => {
  await lyingAuth.close()
  await services.close()
  await farcaster.close()
  await anvil.close()
  await identity.close()
  await mail.close()
})

/** A frame with a session of any user. The auth service vouches for whatever the attacker claims. */
async function claimedBy(user: string, method: Method): Promise<LoginClient> {
  const shares = await createLoginClient(services.sharesUrl, { clock })
  const claims = { user, key: shares.key, methods: [method, 'passkey'] }
  shares.use((await lyingAuth.forgeLogin(claims)).sharesToken)
  return shares
}

async function approveByMail(
  client: LoginClient,
  email: string,
  enter = (match: string): string => match,
): Promise<void> {
  // Mails to one address are half a minute apart.
  later += 31_000
  const before = mail.received()[0]?.id ?? 0
  const { body } = await client.ask('POST', '/shares/v1/links', { email, projectId, origin })
  const { text } = await mail.waitFor(email, before)
  const link = new URL(/http:\/\/\S+/g.exec(text.split('open this page')[1] ?? '')?.[0] ?? expect.fail('no link'))
  const match = enter(String(body['match']))
  const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match })
  await fetch(link.origin + link.pathname, { method: 'POST', body: form })
}

async function signIn(fid: bigint, nonce: string): Promise<{ message: string; signature: string }> {
  const person = farcaster.people.find((each) => each.fid === fid) ?? expect.fail('no such account')
  const { host } = new URL(services.sharesUrl)
  const issuedAt = new Date(clock.now())
  const asked = { domain: host, siweUri: services.sharesUrl, nonce }
  return signFarcasterSignIn(asked, { fid, signer: person.custody, issuedAt })
}

const beginAt = async (client: LoginClient, provider: SocialProvider) =>
  (await client.ask('POST', '/shares/v1/social/begin', { provider, projectId, origin })).body as {
    id: string
    uri: string
  }

/** The share store's own verification of an account: a mailbox, a Farcaster account or an account at a provider. */
async function approve(client: LoginClient, method: Method, person: 'owner' | 'thief'): Promise<void> {
  const email = addressOf(person, method)
  if (method === 'email') return approveByMail(client, email)
  if (method === 'farcaster') {
    const random = randomBytes(32)
    const { fid } = farcaster.people[person === 'owner' ? 0 : 1] ?? expect.fail('no account')
    const signed = await signIn(fid, computeNonce(client.key, random).toString('hex'))
    const proof = { ...signed, random: random.toString('base64url') }
    expect((await client.ask('POST', '/shares/v1/identity/farcaster', proof)).status).toBe(200)
    return
  }
  const { id, uri } = await beginAt(client, method)
  const code = await visitForCode(uri, { name: person, email })
  expect((await client.ask('POST', '/shares/v1/social/redeem', { id, code })).status).toBe(200)
}

/** Creates the wallet of a new user on an approved device. */
async function enrolled(method: Method): Promise<{ user: string; device: LoginClient }> {
  const user = randomUUID()
  const device = await claimedBy(user, method)
  await approve(device, method, 'owner')
  const set = walletSet()
  expect((await device.ask('POST', '/shares/v1/sets', set)).status).toBe(200)
  expect((await device.ask('POST', '/shares/v1/sets/commit', { setId: set.setId })).status).toBe(200)
  expect((await device.ask('POST', '/shares/v1/auto', {})).status).toBe(200)
  return { user, device }
}

/** Returns the paths that did not refuse the device, of all that read or change the data of the user. */
async function listOpened(client: LoginClient): Promise<readonly string[]> {
  const opened: string[] = []
  for (const [path, body] of [
    ['sets/find', {}],
    ['auto', {}],
    ['ways/list', {}],
    ['sets', walletSet()],
    ['ways', { id: 'password', method: 'password', wrapped: bytes(60), facts: '{}' }],
    ['contact', { email: 'thief@example.org', current: 'owner@example.org' }],
    ['deletion', {}],
  ] as const) {
    const { status, body: answer } = await client.ask('POST', `/shares/v1/${path}`, body)
    const [reason] = Array.isArray(answer['reasons']) ? (answer['reasons'] as readonly { field?: unknown }[]) : []
    if (status !== 403 || reason?.field !== 'device') opened.push(path)
  }
  return opened
}

describe.each(methods)('an auth service that lies about a login with %s', (method) => {
  test('opens nothing with forged claims alone [K-11]', async () => {
    const { user } = await enrolled(method)
    expect(await listOpened(await claimedBy(user, method))).toEqual([])
  })

  test('opens nothing with another account that it verifies at the share store [K-11]', async () => {
    const { user } = await enrolled(method)
    const thief = await claimedBy(user, method)
    await approve(thief, method, 'thief')
    expect(await listOpened(thief)).toEqual([])
  })

  test('opens nothing with the owner’s mailbox address that it claims to be confirmed [K-11]', async () => {
    const { user } = await enrolled(method)
    const thief = await claimedBy(user, method)
    const claimed = await thief.ask('POST', '/shares/v1/identity/first', { email: addressOf('owner', method) })
    expect(claimed.status).toBe(404)
    expect(await listOpened(thief)).toEqual([])
  })

  test('can’t bind a new user to an account of its own without locking the owner out [K-11]', async () => {
    const user = randomUUID()
    const thief = await claimedBy(user, method)
    await approve(thief, method, 'thief')
    expect((await thief.ask('POST', '/shares/v1/sets/find', {})).status).toBe(404)
    const owner = await claimedBy(user, method)
    await approve(owner, method, 'owner')
    expect(await listOpened(owner)).toEqual([])
  })
})

describe.each(socialProviders)('an auth service that leads a window on at %s', (provider) => {
  test('opens nothing by a login that it began itself [K-11]', async () => {
    const { user } = await enrolled(provider)
    const visitor = { name: 'owner', email: addressOf('owner', provider) }
    const [owner, thief] = [await claimedBy(user, provider), await claimedBy(user, provider)]
    const own = await beginAt(owner, provider)
    const lure = await beginAt(thief, provider)
    // The auth service's callback sends the owner's window here. The provider knows the owner and asks nothing.
    const code = (await visitForCode(lure.uri, visitor)) ?? expect.fail('no code')
    // The last page hands the code to the owner's page, whose frame holds another login.
    expect((await owner.ask('POST', '/shares/v1/social/redeem', { id: own.id, code })).status).toBe(404)
    expect((await owner.ask('POST', '/shares/v1/social/redeem', { id: lure.id, code })).status).toBe(404)
    for (const guess of ['00000000', '12345678', '99999999']) {
      const { status } = await thief.ask('POST', '/shares/v1/social/redeem', { id: lure.id, code: guess })
      expect(status).toBe(401)
    }
    expect((await thief.ask('POST', '/shares/v1/social/redeem', { id: lure.id, code })).status).toBe(404)
    expect(await listOpened(thief)).toEqual([])
  })

  test('opens nothing with a response to its own client [K-11] [A-12]', async () => {
    const { user } = await enrolled(provider)
    const thief = await claimedBy(user, provider)
    const lure = await beginAt(thief, provider)
    const auth = await createLoginClient(services.authUrl, { clock })
    const asked = { provider, projectId, origin, nonce: bytes(32) }
    const { uri } = (await auth.ask('POST', '/auth/v1/social/begin', asked)).body as { uri: string }
    const back = await visitProvider(uri, { name: 'owner', email: addressOf('owner', provider) })
    // It gives the provider's code to the share store's callback, with the state of the thief's login.
    const response = back.form ?? back.url.searchParams
    response.set('state', new URL(lure.uri).searchParams.get('state') ?? '')
    const url = new URL(`${services.sharesUrl}/shares/v1/social/${provider}/callback`)
    if (back.form === undefined) url.search = response.toString()
    const page = await (await comeBack({ url, form: back.form })).text()
    expect(page).toContain('The provider did not confirm who you are.')
    expect(page).not.toContain('data-code="')
    expect((await thief.ask('POST', '/shares/v1/identity', { provider, token: 'x', random: bytes(32) })).status).toBe(
      404,
    )
    expect(await listOpened(thief)).toEqual([])
  })
})

describe('an auth service that interferes with an approval', () => {
  test('opens nothing by a link that it requests to the owner’s mailbox [K-11]', async () => {
    const { user } = await enrolled('email')
    const thief = await claimedBy(user, 'email')
    // The owner enters the digits of the own window. They are those of the thief's link in one of ninety cases.
    await approveByMail(thief, addressOf('owner', 'email'), (match) => (match === '10' ? '11' : '10'))
    expect((await thief.ask('POST', '/shares/v1/sets/find', {})).status).toBe(403)
  })

  test('opens nothing with a Farcaster message that was signed for the owner’s device [K-11]', async () => {
    const { user } = await enrolled('farcaster')
    const owner = await createLoginClient(services.sharesUrl, { clock })
    const random = randomBytes(32)
    const { fid } = farcaster.people[0] ?? expect.fail('no account')
    const signed = await signIn(fid, computeNonce(owner.key, random).toString('hex'))
    const thief = await claimedBy(user, 'farcaster')
    const proof = { ...signed, random: random.toString('base64url') }
    expect((await thief.ask('POST', '/shares/v1/identity/farcaster', proof)).status).toBe(401)
    expect(await listOpened(thief)).toEqual([])
  })
})
