import { randomBytes } from 'node:crypto'
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
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, testFrameUrl, type LoginServices } from '../../testing/loginServices.ts'

// An attacker opens a login in a frame of its own, and gets the victim to approve it for the genuine domain.

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const dayMs = 24 * 60 * 60_000
const bytes = (count: number): string => randomBytes(count).toString('base64url')

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

/** Logs a frame in with one approval of the victim. Without a key, the frame is a new device. */
async function logIn(twin?: LoginClient): Promise<Frame> {
  const auth = await createLoginClient(services.authUrl, { clock, ...(twin && { twin }) })
  const shares = await createLoginClient(services.sharesUrl, { clock, twin: auth })
  const ask = { projectId, origin }
  const authChallenge = String((await auth.ask('POST', '/auth/v1/farcaster/begin', ask)).body['challenge'])
  const sharesChallenge = String((await shares.ask('POST', '/shares/v1/farcaster/begin', ask)).body['challenge'])
  const nonce = computeFarcasterNonce({ key: auth.key, authChallenge, sharesChallenge })
  const victim = farcaster.people[0] ?? expect.fail('no account')
  const asked = { domain: new URL(testFrameUrl).host, siweUri: testFrameUrl, nonce }
  const signer = { fid: victim.fid, signer: victim.custody, issuedAt: new Date(clock.now()) }
  const signed = await signFarcasterSignIn(asked, signer)
  const login = { challenge: authChallenge, sharesChallenge, ...signed }
  const { body } = await auth.ask('POST', '/auth/v1/farcaster/redeem', login)
  shares.use((body as { tokens: { sharesToken: string } }).tokens.sharesToken)
  const proof = { challenge: sharesChallenge, authChallenge, ...signed }
  const { status, body: response } = await shares.ask('POST', '/shares/v1/identity/farcaster', proof)
  return { shares, response, status }
}

async function createWallet(): Promise<LoginClient> {
  const { shares, response } = await logIn()
  expect(response).toEqual({ state: 'approved' })
  const wraps = [{ id: 'auto', method: 'auto', wrapped: bytes(60), facts: '{}' }]
  const set = { walletId: bytes(16), setId: bytes(16), epoch: 1, share: bytes(120), vault: bytes(100), wraps }
  expect((await shares.ask('POST', '/shares/v1/sets', set)).status).toBe(200)
  expect((await shares.ask('POST', '/shares/v1/sets/commit', { setId: set.setId })).status).toBe(200)
  return shares
}

/** Returns the statuses of the requests that would open the wallet. */
const open = async ({ shares }: Frame): Promise<readonly number[]> => [
  (await shares.ask('POST', '/shares/v1/sets/find', {})).status,
  (await shares.ask('POST', '/shares/v1/auto', {})).status,
]

const waitingFor = async (known: LoginClient) =>
  (await known.ask('POST', '/shares/v1/devices/waiting', {})).body['devices'] as readonly { id: string }[]

describe('one approval in a Farcaster application, for the device of an attacker', () => {
  test('does not open the wallet, and the known device lists the new one [A-09] [K-11]', async () => {
    const known = await createWallet()
    const foreign = await logIn()
    expect(foreign.response).toMatchObject({ state: 'waiting', match: expect.stringMatching(/^\d\d$/) })
    expect(await open(foreign)).toEqual([403, 403])
    expect(await waitingFor(known)).toMatchObject([{ browser: expect.any(String), place: 'local' }])
    // It can neither list nor approve itself.
    const [{ id } = expect.fail('nothing waits')] = await waitingFor(known)
    expect((await foreign.shares.ask('POST', '/shares/v1/devices/waiting', {})).status).toBe(403)
    const match = String(foreign.response['match'])
    expect((await foreign.shares.ask('POST', '/shares/v1/devices/approve', { id, match })).status).toBe(403)
    expect(await open(foreign)).toEqual([403, 403])
  })

  test('does not open the wallet after a second approval', async () => {
    await createWallet()
    const foreign = await logIn()
    expect((await logIn(foreign.shares)).response).toMatchObject({ state: 'waiting' })
    expect(await open(foreign)).toEqual([403, 403])
  })

  test('opens the wallet after the known device has entered its digits', async () => {
    const known = await createWallet()
    const phone = await logIn()
    const [{ id } = expect.fail('nothing waits')] = await waitingFor(known)
    const match = String(phone.response['match'])
    expect(
      (await known.ask('POST', '/shares/v1/devices/approve', { id, match: match === '10' ? '11' : '10' })).status,
    ).toBe(401)
    expect((await known.ask('POST', '/shares/v1/devices/approve', { id, match })).status).toBe(200)
    expect((await phone.shares.ask('POST', '/shares/v1/devices/state', {})).body).toEqual({ state: 'approved' })
    expect(await open(phone)).toEqual([200, 200])
    expect(await waitingFor(known)).toEqual([])
  })

  test('is over after three wrong entries', async () => {
    const known = await createWallet()
    const phone = await logIn()
    const [{ id } = expect.fail('nothing waits')] = await waitingFor(known)
    const match = String(phone.response['match'])
    const wrong = match === '10' ? '11' : '10'
    for (let count = 0; count < 3; count += 1) {
      expect((await known.ask('POST', '/shares/v1/devices/approve', { id, match: wrong })).status).toBe(401)
    }
    expect((await known.ask('POST', '/shares/v1/devices/approve', { id, match })).status).toBe(404)
    expect(await open(phone)).toEqual([403, 403])
  })

  test('opens the wallet after a day with another approval, unless a known device stops it', async () => {
    const known = await createWallet()
    const phone = await logIn()
    const foreign = await logIn()
    const [{ id } = expect.fail('nothing waits')] = await waitingFor(known)
    expect((await known.ask('POST', '/shares/v1/devices/stop', { id })).status).toBe(200)
    later += dayMs + 60_000
    expect(await open(phone)).toEqual([401, 401])
    const again = await logIn(phone.shares)
    expect(again.response).toEqual({ state: 'approved' })
    expect(await open(again)).toEqual([200, 200])
    const stopped = await logIn(foreign.shares)
    expect(stopped).toMatchObject({ status: 403, response: { reasons: [{ field: 'stopped' }] } })
    expect(await open(stopped)).toEqual([403, 403])
  })

  test('is no request of another user, who can neither list, approve nor stop it [D-01]', async () => {
    const known = await createWallet()
    await logIn()
    const [{ id } = expect.fail('nothing waits')] = await waitingFor(known)
    const { log } = Fastify({ logger: false })
    const database = await openDatabase({ databaseUrl: services.sharesDatabaseUrl, dataDir: '' }, log)
    await sql`update share_device_request set user_id = 'another'`.execute(database.kysely)
    expect(await waitingFor(known)).toEqual([])
    expect((await known.ask('POST', '/shares/v1/devices/approve', { id, match: '10' })).status).toBe(404)
    await known.ask('POST', '/shares/v1/devices/stop', { id })
    const { rows } = await sql`select from share_device_request where stopped_at is not null`.execute(database.kysely)
    expect(rows).toEqual([])
    await database.close()
  })
})
