import { createHash, randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import {
  signFarcasterSignIn,
  startAnvil,
  startFarcaster,
  startMail,
  type Anvil,
  type LocalFarcaster,
  type LocalMail,
} from '@latchkey/devnet'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { computeFarcasterNonce } from '../../custody/identity/computeFarcasterNonce.ts'
import { openDatabase } from '../../kit/database/database.ts'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createFakePasskey, type FakeCeremony, type FakePasskey } from '../../testing/fakePasskey.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, testFrameUrl, type LoginServices } from '../../testing/loginServices.ts'
import { signShareStoreProof } from '../testing/signShareStoreProof.ts'
import type { ProvenAction } from '../account/storeProofs.ts'

// An attacker opens a login in a frame of its own, and gets the victim to approve it for the genuine domain.

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const dayMs = 24 * 60 * 60_000
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')

let mail: LocalMail
let anvil: Anvil
let farcaster: LocalFarcaster
let services: LoginServices
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  mail = await startMail()
  anvil = await startAnvil({ chainId: 31_337, port: 0 })
  farcaster = await startFarcaster({ rpcUrl: anvil.rpcUrl })
})
beforeEach(async () => {
  const rateLimiters = createInProcessRateLimiters({ now: () => Date.now() * 1_000 })
  const parts = { farcaster: { rpcUrl: farcaster.rpcUrl }, rateLimiters }
  services = await startLoginServices({
    mailUrl: mail.url,
    layout: 'split',
    clock,
    parts: { auth: parts, shares: parts },
  })
  return () => services.close()
})
afterAll(async () => {
  await farcaster.close()
  await anvil.close()
  await mail.close()
})

type Frame = { readonly shares: LoginClient; readonly response: Record<string, unknown>; readonly status: number }

/** Logs a frame in with one approval of the victim, or of another person. Without a key, the frame is a new device. */
async function logIn(twin?: LoginClient, person = 0): Promise<Frame> {
  const auth = await createLoginClient(services.authUrl, { clock, ...(twin && { twin }) })
  const shares = await createLoginClient(services.sharesUrl, { clock, twin: auth })
  const request = { projectId, origin }
  const authChallenge = String((await auth.request('POST', '/auth/v1/farcaster/begin', request)).body['challenge'])
  const sharesChallenge = String(
    (await shares.request('POST', '/shares/v1/farcaster/begin', request)).body['challenge'],
  )
  const nonce = computeFarcasterNonce({ key: auth.key, authChallenge, sharesChallenge })
  const victim = farcaster.people[person] ?? expect.fail('no account')
  const requested = { domain: new URL(testFrameUrl).host, siweUri: testFrameUrl, nonce }
  const signer = { fid: victim.fid, signer: victim.custody, issuedAt: new Date(clock.now()) }
  const signed = await signFarcasterSignIn(requested, signer)
  const login = { challenge: authChallenge, sharesChallenge, ...signed }
  const { body } = await auth.request('POST', '/auth/v1/farcaster/redeem', login)
  shares.use((body as { tokens: { sharesToken: string } }).tokens.sharesToken)
  const proof = { challenge: sharesChallenge, authChallenge, ...signed }
  const { status, body: response } = await shares.request('POST', '/shares/v1/identity/farcaster', proof)
  return { shares, response, status }
}

const walletId = randomBase64Url(16)
const walletKey = randomBytes(32)
const automatic = { id: 'auto', method: 'auto', wrapped: randomBase64Url(60), facts: '{}' }

async function createWallet(person = 0): Promise<LoginClient> {
  const { shares, response } = await logIn(undefined, person)
  expect(response).toEqual({ state: 'approved' })
  await commit(shares, { epoch: 1, wraps: [automatic] })
  return shares
}

async function commit(shares: LoginClient, { epoch, wraps }: { epoch: number; wraps: object[] }): Promise<void> {
  const set = {
    walletId,
    setId: randomBase64Url(16),
    epoch,
    share: randomBase64Url(120),
    vault: randomBase64Url(100),
    wraps,
  }
  expect((await shares.request('POST', '/shares/v1/sets', set)).status).toBe(200)
  const isFirst = epoch === 1
  const proof = isFirst ? undefined : await proveWallet(shares, { purpose: 'epoch', setId: decode(set.setId) })
  expect((await shares.request('POST', '/shares/v1/sets/commit', { setId: set.setId, proof })).status).toBe(200)
}

const decode = (text: string): Buffer => Buffer.from(text, 'base64url')
const proveWallet = (client: LoginClient, action: ProvenAction) =>
  signShareStoreProof(client, { url: services.sharesUrl, action, key: walletKey })

/** Returns the statuses of the requests that would open the wallet. */
const open = async ({ shares }: Frame): Promise<readonly number[]> => [
  (await shares.request('POST', '/shares/v1/sets/find', {})).status,
  (await shares.request('POST', '/shares/v1/auto', {})).status,
]

const listWaitingDevices = async (known: LoginClient) =>
  (await known.request('POST', '/shares/v1/devices/waiting', {})).body['devices'] as readonly { id: string }[]

describe('one approval in a Farcaster application, for the device of an attacker', () => {
  test(
    'does not open the wallet, and the known device lists the new one [A-09] [K-11]',
    { tags: 'abuse' },
    async () => {
      const known = await createWallet()
      const foreign = await logIn()
      expect(foreign.response).toMatchObject({ state: 'waiting', match: expect.stringMatching(/^\d\d$/) })
      expect(await open(foreign)).toEqual([403, 403])
      expect(await listWaitingDevices(known)).toMatchObject([{ browser: expect.any(String), place: 'local' }])
      // It can neither list nor approve itself.
      const [{ id } = expect.fail('nothing waits')] = await listWaitingDevices(known)
      expect((await foreign.shares.request('POST', '/shares/v1/devices/waiting', {})).status).toBe(403)
      const match = String(foreign.response['match'])
      expect((await foreign.shares.request('POST', '/shares/v1/devices/approve', { id, match })).status).toBe(403)
      expect(await open(foreign)).toEqual([403, 403])
    },
  )

  test('does not open the wallet after a second approval', { tags: 'abuse' }, async () => {
    await createWallet()
    const foreign = await logIn()
    expect((await logIn(foreign.shares)).response).toMatchObject({ state: 'waiting' })
    expect(await open(foreign)).toEqual([403, 403])
  })

  test('opens the wallet after the known device has entered its digits', { tags: 'abuse' }, async () => {
    const known = await createWallet()
    const phone = await logIn()
    const [{ id } = expect.fail('nothing waits')] = await listWaitingDevices(known)
    const match = String(phone.response['match'])
    expect(
      (await known.request('POST', '/shares/v1/devices/approve', { id, match: match === '10' ? '11' : '10' })).status,
    ).toBe(401)
    expect((await known.request('POST', '/shares/v1/devices/approve', { id, match })).status).toBe(200)
    expect((await phone.shares.request('POST', '/shares/v1/devices/state', {})).body).toEqual({ state: 'approved' })
    expect(await open(phone)).toEqual([200, 200])
    expect(await listWaitingDevices(known)).toEqual([])
  })

  test('is over after three wrong entries', { tags: 'abuse' }, async () => {
    const known = await createWallet()
    const phone = await logIn()
    const [{ id } = expect.fail('nothing waits')] = await listWaitingDevices(known)
    const match = String(phone.response['match'])
    const wrong = match === '10' ? '11' : '10'
    for (let count = 0; count < 3; count += 1) {
      expect((await known.request('POST', '/shares/v1/devices/approve', { id, match: wrong })).status).toBe(401)
    }
    expect((await known.request('POST', '/shares/v1/devices/approve', { id, match })).status).toBe(404)
    expect(await open(phone)).toEqual([403, 403])
  })

  test(
    'opens the wallet after a day with another approval, unless a known device stops it',
    { tags: 'abuse' },
    async () => {
      const known = await createWallet()
      const phone = await logIn()
      const foreign = await logIn()
      const [{ id } = expect.fail('nothing waits')] = await listWaitingDevices(known)
      expect((await known.request('POST', '/shares/v1/devices/stop', { id })).status).toBe(200)
      later += dayMs + 60_000
      expect(await open(phone)).toEqual([401, 401])
      const again = await logIn(phone.shares)
      expect(again.response).toEqual({ state: 'approved' })
      expect(await open(again)).toEqual([200, 200])
      const stopped = await logIn(foreign.shares)
      expect(stopped).toMatchObject({ status: 403, response: { reasons: [{ field: 'stopped' }] } })
      expect(await open(stopped)).toEqual([403, 403])
    },
  )

  test('can’t be listed, approved or stopped by another user [D-01]', { tags: 'abuse' }, async () => {
    const known = await createWallet()
    await logIn()
    const [{ id } = expect.fail('nothing waits')] = await listWaitingDevices(known)
    const { log } = Fastify({ logger: false })
    const database = await openDatabase({ databaseUrl: services.sharesDatabaseUrl, dataDir: '' }, log)
    await sql`update share_device_request set user_id = 'another'`.execute(database.kysely)
    expect(await listWaitingDevices(known)).toEqual([])
    expect((await known.request('POST', '/shares/v1/devices/approve', { id, match: '10' })).status).toBe(404)
    await known.request('POST', '/shares/v1/devices/stop', { id })
    const { rows } = await sql`select from share_device_request where stopped_at is not null`.execute(database.kysely)
    expect(rows).toEqual([])
    await database.close()
  })
})

describe('a passkey that is a recovery method', () => {
  /** Creates a wallet with a passkey. */
  async function createWalletWithPasskey(person = 0): Promise<{ known: LoginClient; passkey: FakePasskey }> {
    const known = await createWallet(person)
    const passkey = createFakePasskey()
    expect((await add(known, passkey)).map(({ status }) => status)).toEqual([200, 200])
    return { known, passkey }
  }
  const add = async (device: LoginClient, passkey: FakePasskey) => [
    await addMethod(device, passkey.id),
    await register(device, passkey),
  ]
  async function addMethod(device: LoginClient, id: string) {
    const method = { id, method: 'passkey', wrapped: randomBase64Url(60), facts: '{}' } as const
    const action = { purpose: 'method', method: { ...method, wrapped: decode(method.wrapped) } } as const
    return device.request('POST', '/shares/v1/ways', { ...method, proof: await proveWallet(device, action) })
  }
  async function register(device: LoginClient, { id, publicKey }: FakePasskey) {
    const action = { purpose: 'passkey', id: decode(id), publicKey: decode(publicKey) } as const
    return device.request('POST', '/shares/v1/passkeys', { id, publicKey, proof: await proveWallet(device, action) })
  }
  const requestChallenge = ({ shares }: Frame) => shares.request('POST', '/shares/v1/devices/passkey/challenge', {})
  const challengeFor = async (frame: Frame): Promise<Buffer> =>
    Buffer.from(String((await requestChallenge(frame)).body['challenge']), 'base64url')
  /** Returns what the frame of a device has its passkey sign. */
  const signedBy = ({ shares }: Frame, challenge: Buffer): string =>
    Buffer.concat([Buffer.from('latchkey/device-passkey/1'), Buffer.from(shares.key, 'base64url'), challenge]).toString(
      'base64url',
    )
  const prove = async ({ shares }: Frame, assertion: object): Promise<number> =>
    (await shares.request('POST', '/shares/v1/devices/passkey', assertion)).status
  const respond = async (frame: Frame, passkey: FakePasskey, ceremony?: FakeCeremony) =>
    passkey.respond(signedBy(frame, await challengeFor(frame)), ceremony)

  test('opens the wallet on a new device without digits and without a wait', async () => {
    const { known, passkey } = await createWalletWithPasskey()
    const phone = await logIn()
    expect(phone.response).toMatchObject({ state: 'waiting', hasPasskey: true })
    const input = createHash('sha256').update('rek-wrap-v1').update(Buffer.from(walletId, 'base64url')).digest()
    expect((await requestChallenge(phone)).body['input']).toBe(input.toString('base64url'))
    expect(await prove(phone, await respond(phone, passkey))).toBe(200)
    expect((await phone.shares.request('POST', '/shares/v1/devices/state', {})).body).toEqual({ state: 'approved' })
    expect(await open(phone)).toEqual([200, 200])
    expect(await listWaitingDevices(known)).toEqual([])
  })

  const ceremonies: Array<[string, FakeCeremony]> = [
    ['a page of another origin', { origin: 'http://evil.localhost:4605' }],
    ['another RP ID', { host: 'evil.example' }],
    ['a registration', { type: 'webauthn.create' }],
    ['no verified user', { flags: 0b001 }],
  ]
  test.each(ceremonies)('approves nothing if its response is of %s', { tags: 'abuse' }, async (_what, ceremony) => {
    const { passkey } = await createWalletWithPasskey()
    const phone = await logIn()
    expect(await prove(phone, await respond(phone, passkey, ceremony))).toBe(401)
    expect(await open(phone)).toEqual([403, 403])
  })

  test('approves nothing if it belongs to another user or is not registered', { tags: 'abuse' }, async () => {
    const { passkey: own } = await createWalletWithPasskey()
    const { passkey: others } = await createWalletWithPasskey(1)
    const phone = await logIn()
    expect(await prove(phone, await respond(phone, others))).toBe(401)
    expect(await prove(phone, await respond(phone, createFakePasskey()))).toBe(401)
    expect(await prove(phone, { ...(await respond(phone, others)), id: own.id })).toBe(401)
    expect(await open(phone)).toEqual([403, 403])
  })

  test(
    'approves nothing by a response that was used, a challenge that expired, or one that was not requested',
    { tags: 'abuse' },
    async () => {
      const { passkey } = await createWalletWithPasskey()
      const [phone, foreign] = [await logIn(), await logIn()]
      const response = await respond(phone, passkey)
      expect(await prove(phone, response)).toBe(200)
      expect(await prove(phone, response)).toBe(401)
      expect(await prove(foreign, response)).toBe(401)
      expect(await prove(foreign, passkey.respond(signedBy(foreign, randomBytes(32))))).toBe(401)
      const late = await respond(foreign, passkey)
      later += 5 * 60_000 + 1_000
      expect(await prove(foreign, late)).toBe(401)
      expect(await open(foreign)).toEqual([403, 403])
    },
  )

  test(
    'approves no other device for any challenge that the owner’s frame signed [K-11]',
    { tags: 'abuse' },
    async () => {
      const { passkey } = await createWalletWithPasskey()
      const [phone, foreign] = [await logIn(), await logIn()]
      const challenge = await challengeFor(foreign)
      // An auth service that lies passes the attacker's challenge on as its own, which the frame signs as it is.
      expect(await prove(foreign, passkey.respond(challenge.toString('base64url')))).toBe(401)
      // A share store that lies passes it on to the owner's login, whose frame signs its own key.
      expect(await prove(foreign, passkey.respond(signedBy(phone, challenge)))).toBe(401)
      expect(await prove(phone, passkey.respond(signedBy(phone, challenge)))).toBe(401)
      expect(await open(foreign)).toEqual([403, 403])
    },
  )

  test('is of no use without a fresh approval in the Farcaster application', { tags: 'abuse' }, async () => {
    const { passkey } = await createWalletWithPasskey()
    const phone = await logIn()
    const response = await respond(phone, passkey)
    const { log } = Fastify({ logger: false })
    const database = await openDatabase({ databaseUrl: services.sharesDatabaseUrl, dataDir: '' }, log)
    // The auth service alone can log in any device, but the share store has verified no account for it.
    await sql`delete from share_identity`.execute(database.kysely)
    await database.close()
    expect(await prove(phone, response)).toBe(403)
    expect((await requestChallenge(phone)).status).toBe(403)
    expect(await open(phone)).toEqual([403, 403])
  })

  test('approves no device that a known device has stopped', { tags: 'abuse' }, async () => {
    const { known, passkey } = await createWalletWithPasskey()
    const phone = await logIn()
    const [{ id } = expect.fail('nothing waits')] = await listWaitingDevices(known)
    await known.request('POST', '/shares/v1/devices/stop', { id })
    expect(await prove(phone, await respond(phone, passkey))).toBe(404)
    expect(await open(phone)).toEqual([403, 403])
  })

  test(
    'is registered by an established device only, and only while it is a recovery method',
    { tags: 'abuse' },
    async () => {
      const { known, passkey } = await createWalletWithPasskey()
      const phone = await logIn()
      expect(await prove(phone, await respond(phone, passkey))).toBe(200)
      expect(await open(phone)).toEqual([200, 200])
      const attackers = createFakePasskey()
      expect((await add(phone.shares, attackers)).map(({ status }) => status)).toEqual([403, 403])
      expect((await register(known, attackers)).status).toBe(404)
      await commit(known, { epoch: 2, wraps: [automatic] })
      const tablet = await logIn()
      expect(tablet.response).toMatchObject({ state: 'waiting', hasPasskey: false })
      expect(await prove(tablet, await respond(tablet, passkey))).toBe(401)
    },
  )

  test('still approves devices after an epoch that it opens, too', { tags: 'abuse' }, async () => {
    const { known, passkey } = await createWalletWithPasskey()
    const wrap = { id: passkey.id, method: 'passkey', wrapped: randomBase64Url(60), facts: '{}' }
    await commit(known, { epoch: 2, wraps: [automatic, wrap] })
    const phone = await logIn()
    expect(await prove(phone, await respond(phone, passkey))).toBe(200)
    expect(await open(phone)).toEqual([200, 200])
  })
})
