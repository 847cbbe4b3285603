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
import { computeFarcasterNonce } from '../../custody/identity/computeFarcasterNonce.ts'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, testFrameUrl, type LoginServices } from '../../testing/loginServices.ts'
import { openLyingAuth, type LyingAuth } from '../../testing/lyingAuth.ts'
import { openStolenDatabase } from '../../testing/thief.ts'
import { followCallback, visitForCode, visitProvider } from '../../testing/visitProvider.ts'

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const methods = ['email', 'farcaster', ...socialProviders] as const
type Method = (typeof methods)[number]

const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const walletSet = () => ({
  walletId: randomBase64Url(16),
  setId: randomBase64Url(16),
  epoch: 1,
  share: randomBase64Url(120),
  vault: randomBase64Url(100),
  wraps: [{ id: 'auto', method: 'auto', wrapped: randomBase64Url(60), facts: '{}' }],
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

beforeEach(async () => {
  run += 1
  // The Farcaster accounts are the same in all tests, and an account has one wallet.
  const database = await openStolenDatabase(services.sharesDatabaseUrl)
  await database.run('truncate share_wallet, share_contact')
  await database.leave()
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
  // All tests run on one client.
  const rateLimiters = createInProcessRateLimiters({ now: () => Date.now() * 1_000 })
  const configured = { farcaster: { rpcUrl: farcaster.rpcUrl } }
  services = await startLoginServices({
    mailUrl: mail.url,
    layout: 'split',
    clock,
    socials: identity.socials,
    masterKeys,
    parts: { auth: { ...configured, rateLimiters }, shares: { ...configured, rateLimiters } },
  })
  lyingAuth = await openLyingAuth({ databaseUrl: services.authDatabaseUrl, masterKeys: masterKeys.auth, clock })
})
afterAll(async () => {
  await lyingAuth.close()
  await services.close()
  await farcaster.close()
  await anvil.close()
  await identity.close()
  await mail.close()
})

/** A frame with a session of any user. The auth service vouches for whatever the attacker claims. */
async function logInWithClaims(user: string, method: Method): Promise<LoginClient> {
  const shares = await createLoginClient(services.sharesUrl, { clock })
  const claims = { user, key: shares.key, methods: [method, 'passkey'] }
  shares.use((await lyingAuth.forgeLogin(claims)).sharesToken)
  return shares
}

/** Renews the session of a frame. */
async function renew(client: LoginClient, user: string): Promise<void> {
  client.use((await lyingAuth.forgeLogin({ user, key: client.key, methods: ['email'] })).sharesToken)
}

async function approveByMail(
  client: LoginClient,
  email: string,
  { enter = (match: string) => match, purpose }: { enter?: (match: string) => string; purpose?: 'contact' } = {},
): Promise<string> {
  // Mails to one address are half a minute apart.
  later += 31_000
  const before = mail.received()[0]?.id ?? 0
  const requested = { email, projectId, origin, ...(purpose && { purpose }) }
  const { body } = await client.request('POST', '/shares/v1/links', requested)
  const { text } = await mail.waitFor(email, before)
  const link = new URL(/http:\/\/\S+/g.exec(text.split('open this page')[1] ?? '')?.[0] ?? expect.fail('no link'))
  const match = enter(String(body['match']))
  const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match })
  await fetch(link.origin + link.pathname, { method: 'POST', body: form })
  return String(body['match'])
}

/** Returns the digits of a link that is never opened. */
const requestDigits = (client: LoginClient, email: string): Promise<string> =>
  approveByMail(client, email, { enter: () => '' })

/** A Farcaster login of a frame: it requests a challenge, and its user signs a message that commits to the frame's key. */
async function signFarcasterLogin(client: LoginClient, fid: bigint): Promise<Record<string, string>> {
  const person = farcaster.people.find((each) => each.fid === fid) ?? expect.fail('no such account')
  const { body } = await client.request('POST', '/shares/v1/farcaster/begin', { projectId, origin })
  const [challenge, authChallenge] = [String(body['challenge']), randomBase64Url(32)]
  const nonce = computeFarcasterNonce({ key: client.key, authChallenge, sharesChallenge: challenge })
  const requested = { domain: new URL(testFrameUrl).host, siweUri: testFrameUrl, nonce }
  const signed = await signFarcasterSignIn(requested, { fid, signer: person.custody, issuedAt: new Date(clock.now()) })
  return { ...signed, challenge, authChallenge }
}

const beginAt = async (client: LoginClient, provider: SocialProvider) =>
  (await client.request('POST', '/shares/v1/social/begin', { provider, projectId, origin })).body as {
    id: string
    uri: string
  }

/** The share store's own verification of an account: a mailbox, a Farcaster account or an account at a provider. */
async function approve(client: LoginClient, method: Method, person: 'owner' | 'thief'): Promise<void> {
  const email = addressOf(person, method)
  if (method === 'email') {
    await approveByMail(client, email)
    return
  }
  if (method === 'farcaster') {
    const { fid } = farcaster.people[person === 'owner' ? 0 : 1] ?? expect.fail('no account')
    const proof = await signFarcasterLogin(client, fid)
    expect((await client.request('POST', '/shares/v1/identity/farcaster', proof)).status).toBe(200)
    return
  }
  const { id, uri } = await beginAt(client, method)
  const code = await visitForCode(uri, { name: person, email })
  expect((await client.request('POST', '/shares/v1/social/redeem', { id, code })).status).toBe(200)
}

/** Creates the wallet of a new user on an approved device. */
async function enrolDevice(method: Method): Promise<{ user: string; device: LoginClient }> {
  const user = randomUUID()
  const device = await logInWithClaims(user, method)
  await approve(device, method, 'owner')
  const set = walletSet()
  expect((await device.request('POST', '/shares/v1/sets', set)).status).toBe(200)
  expect((await device.request('POST', '/shares/v1/sets/commit', { setId: set.setId })).status).toBe(200)
  expect((await device.request('POST', '/shares/v1/auto', {})).status).toBe(200)
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
    ['ways', { id: 'password', method: 'password', wrapped: randomBase64Url(60), facts: '{}' }],
    ['contact', { email: 'thief@example.org', current: 'owner@example.org' }],
    ['deletion', {}],
  ] as const) {
    const { status, body: result } = await client.request('POST', `/shares/v1/${path}`, body)
    const [reason] = Array.isArray(result['reasons']) ? (result['reasons'] as readonly { field?: unknown }[]) : []
    if (status !== 403 || reason?.field !== 'device') opened.push(path)
  }
  return opened
}

describe.each(methods)('an auth service that lies about a login with %s', (method) => {
  test('gets no access with forged claims alone [K-11]', async () => {
    const { user } = await enrolDevice(method)
    expect(await listOpened(await logInWithClaims(user, method))).toEqual([])
  })

  test(
    'gets no access with another account that it verifies at the share store [K-11]',
    { tags: 'abuse' },
    async () => {
      const { user } = await enrolDevice(method)
      const thief = await logInWithClaims(user, method)
      await approve(thief, method, 'thief')
      expect(await listOpened(thief)).toEqual([])
    },
  )

  test(
    'gets no access with the owner’s mailbox address that it claims to be confirmed [K-11]',
    { tags: 'abuse' },
    async () => {
      const { user } = await enrolDevice(method)
      const thief = await logInWithClaims(user, method)
      const claimed = await thief.request('POST', '/shares/v1/identity/first', { email: addressOf('owner', method) })
      expect(claimed.status).toBe(404)
      expect(await listOpened(thief)).toEqual([])
    },
  )

  test(
    'can’t bind a new user to an account of its own without locking the owner out [K-11]',
    { tags: 'abuse' },
    async () => {
      const user = randomUUID()
      const thief = await logInWithClaims(user, method)
      await approve(thief, method, 'thief')
      expect((await thief.request('POST', '/shares/v1/sets/find', {})).status).toBe(404)
      const owner = await logInWithClaims(user, method)
      await approve(owner, method, 'owner')
      expect(await listOpened(owner)).toEqual([])
    },
  )
})

describe.each(socialProviders)('an auth service that leads a window on at %s', (provider) => {
  test('gets no access by a login that it began itself [K-11]', { tags: 'abuse' }, async () => {
    const { user } = await enrolDevice(provider)
    const person = { name: 'owner', email: addressOf('owner', provider) }
    const [owner, thief] = [await logInWithClaims(user, provider), await logInWithClaims(user, provider)]
    const own = await beginAt(owner, provider)
    const lure = await beginAt(thief, provider)
    // The auth service's callback sends the owner's window here. The provider knows the owner and needs no input.
    const code = (await visitForCode(lure.uri, person)) ?? expect.fail('no code')
    // The last page hands the code to the owner's page, whose frame holds another login.
    expect((await owner.request('POST', '/shares/v1/social/redeem', { id: own.id, code })).status).toBe(404)
    expect((await owner.request('POST', '/shares/v1/social/redeem', { id: lure.id, code })).status).toBe(404)
    for (const guess of ['00000000', '12345678', '99999999']) {
      const { status } = await thief.request('POST', '/shares/v1/social/redeem', { id: lure.id, code: guess })
      expect(status).toBe(401)
    }
    expect((await thief.request('POST', '/shares/v1/social/redeem', { id: lure.id, code })).status).toBe(404)
    expect(await listOpened(thief)).toEqual([])
  })

  test('gets no access with a response to its own client [K-11] [A-12]', { tags: 'abuse' }, async () => {
    const { user } = await enrolDevice(provider)
    const thief = await logInWithClaims(user, provider)
    const lure = await beginAt(thief, provider)
    const auth = await createLoginClient(services.authUrl, { clock })
    const requested = { provider, projectId, origin, nonce: randomBase64Url(32) }
    const { uri } = (await auth.request('POST', '/auth/v1/social/begin', requested)).body as { uri: string }
    const back = await visitProvider(uri, { name: 'owner', email: addressOf('owner', provider) })
    // It gives the provider's code to the share store's callback, with the state of the thief's login.
    const response = back.form ?? back.url.searchParams
    response.set('state', new URL(lure.uri).searchParams.get('state') ?? '')
    const url = new URL(`${services.sharesUrl}/shares/v1/social/${provider}/callback`)
    if (back.form === undefined) url.search = response.toString()
    const page = await (await followCallback({ url, form: back.form })).text()
    expect(page).toContain('The provider did not confirm who you are.')
    expect(page).not.toContain('data-code="')
    expect(
      (await thief.request('POST', '/shares/v1/identity', { provider, token: 'x', random: randomBase64Url(32) }))
        .status,
    ).toBe(404)
    expect(await listOpened(thief)).toEqual([])
  })
})

describe('an auth service that claims a passkey', () => {
  test('does not lift the wait of a new device that the account of the owner approved [K-11] [A-08]', async () => {
    const { user } = await enrolDevice('google')
    // The forged token names a passkey, and the thief has the account of the owner.
    const thief = await logInWithClaims(user, 'google')
    await approve(thief, 'google', 'owner')
    for (const [path, body] of [
      ['ways', { id: 'password', method: 'password', wrapped: randomBase64Url(60), facts: '{}' }],
      ['contact', { email: 'thief@example.org', current: 'owner@example.org' }],
      ['deletion', {}],
    ] as const) {
      const refused = await thief.request('POST', `/shares/v1/${path}`, body)
      expect(refused).toMatchObject({ status: 403, body: { reasons: [{ field: 'deviceAge' }] } })
    }
  })
})

describe('an auth service that prepares a user before the first login', () => {
  const dayMs = 24 * 60 * 60_000
  const [ownerMailbox, thiefMailbox] = [() => addressOf('owner', 'email'), () => addressOf('thief', 'email')]

  async function prepare(): Promise<{ user: string; thief: LoginClient; walletId: string }> {
    const user = randomUUID()
    const thief = await logInWithClaims(user, 'email')
    await approve(thief, 'email', 'thief')
    const set = walletSet()
    expect((await thief.request('POST', '/shares/v1/sets', set)).status).toBe(200)
    expect((await thief.request('POST', '/shares/v1/sets/commit', { setId: set.setId })).status).toBe(200)
    return { user, thief, walletId: set.walletId }
  }
  const moveToOwner = (thief: LoginClient) =>
    thief.request('POST', '/shares/v1/contact', { email: ownerMailbox(), current: thiefMailbox() })

  test.each([
    ['without a confirmation', async () => undefined],
    ['with a confirmation of its own mailbox', (thief) => approveByMail(thief, thiefMailbox(), { purpose: 'contact' })],
    [
      'with a link that the owner opens instead of their own, with the digits of their own',
      async (thief, user) => {
        const digits = await requestDigits(await logInWithClaims(user, 'email'), ownerMailbox())
        await approveByMail(thief, ownerMailbox(), { purpose: 'contact', enter: () => digits })
      },
    ],
    ['with a device approval of the owner’s mailbox', (thief) => approveByMail(thief, ownerMailbox())],
    [
      'with a confirmation for the owner’s device',
      async (_thief, user) =>
        approveByMail(await logInWithClaims(user, 'email'), ownerMailbox(), { purpose: 'contact' }),
    ],
  ] satisfies [string, (thief: LoginClient, user: string) => Promise<unknown>][])(
    'can’t lead the owner to its wallet by a change of the contact %s [K-11] [C-04]',
    async (_name, confirm) => {
      const { user, thief } = await prepare()
      await confirm(thief, user)
      const refusal = { status: 403, body: { reasons: [{ field: 'confirmation' }] } }
      expect(await moveToOwner(thief)).toMatchObject(refusal)
      later += dayMs
      const owner = await logInWithClaims(user, 'email')
      await approve(owner, 'email', 'owner')
      expect(await listOpened(owner)).toEqual([])
    },
  )

  test('does not get a device admitted by a confirmation of the owner’s mailbox [K-11] [C-04]', async () => {
    const { user } = await enrolDevice('email')
    const thief = await logInWithClaims(user, 'email')
    await approveByMail(thief, ownerMailbox(), { purpose: 'contact' })
    expect(await listOpened(thief)).toEqual([])
  })

  test('moves a wallet to a mailbox only after a fresh confirmation, and then after a day [K-11] [C-04]', async () => {
    const { user, thief: device, walletId } = await prepare()
    await approveByMail(device, ownerMailbox(), { purpose: 'contact' })
    expect(await moveToOwner(device)).toMatchObject({ status: 200 })
    const next = await logInWithClaims(user, 'email')
    await approve(next, 'email', 'owner')
    expect(await listOpened(next)).toEqual([])
    later += dayMs
    await renew(next, user)
    await approve(next, 'email', 'owner')
    const found = await next.request('POST', '/shares/v1/sets/find', {})
    expect(found).toMatchObject({ status: 200, body: { walletId } })
  })

  test('can’t use a confirmation that is older than fifteen minutes [K-11] [C-04]', async () => {
    const { user, thief } = await prepare()
    await approveByMail(thief, ownerMailbox(), { purpose: 'contact' })
    later += 15 * 60_000
    await renew(thief, user)
    expect(await moveToOwner(thief)).toMatchObject({ status: 403, body: { reasons: [{ field: 'confirmation' }] } })
  })
})

describe('an auth service that interferes with an approval', () => {
  test('gets no access by a link that it requests to the owner’s mailbox [K-11]', async () => {
    const { user } = await enrolDevice('email')
    const thief = await logInWithClaims(user, 'email')
    // The owner enters the digits of their own window, which no other link to their mailbox has.
    const digits = await requestDigits(await logInWithClaims(user, 'email'), addressOf('owner', 'email'))
    await approveByMail(thief, addressOf('owner', 'email'), { enter: () => digits })
    expect((await thief.request('POST', '/shares/v1/sets/find', {})).status).toBe(403)
  })

  test('gets no access with a Farcaster message that was signed for the owner’s device [K-11]', async () => {
    const { user } = await enrolDevice('farcaster')
    const owner = await createLoginClient(services.sharesUrl, { clock })
    const { fid } = farcaster.people[0] ?? expect.fail('no account')
    const proof = await signFarcasterLogin(owner, fid)
    const thief = await logInWithClaims(user, 'farcaster')
    // The owner's challenge belongs to the owner's key, and the message to the owner's challenge.
    expect((await thief.request('POST', '/shares/v1/identity/farcaster', proof)).status).toBe(404)
    const { body } = await thief.request('POST', '/shares/v1/farcaster/begin', { projectId, origin })
    const moved = { ...proof, challenge: String(body['challenge']) }
    expect((await thief.request('POST', '/shares/v1/identity/farcaster', moved)).status).toBe(401)
    expect(await listOpened(thief)).toEqual([])
  })
})
