import { randomBytes, randomUUID } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FarcasterLogin } from '../../custody/identity/farcasterLogins.ts'
import { createKeyedHash } from '../../custody/keyedHash.ts'
import { createPlaces } from '../../custody/requests/source/places.ts'
import type { AccessClaims } from '../../custody/requests/verifyAccessToken.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { shareMigrations } from '../../schema/shareMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createApprovalLinks } from './approvalLinks.ts'
import { createContacts } from './contacts.ts'
import { createDeviceRequests, type DeviceRequests } from './deviceRequests.ts'
import { createDevices, type Devices } from './devices.ts'
import { createIdentityApprovals, type IdentityApprovals } from './identityApprovals.ts'
import { createShareAccess } from './shareAccess.ts'

const hour = 60 * 60_000
const day = 24 * hour
const begin = Date.UTC(2026, 10, 22)
const [ann, ben] = [randomUUID(), randomUUID()]

let place: TestPostgres
let database: Database
let devices: Devices
let requests: DeviceRequests
let identityApprovals: IdentityApprovals
let now = begin
const clock = { now: () => now }
const pepper = randomBytes(32)
let verified: FarcasterLogin[] = []
const source = { browser: 'Firefox on Linux', place: 'local' }

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, shareMigrations, 'shares')
  const parts = { database: database.kysely, clock }
  devices = createDevices(parts)
  requests = createDeviceRequests(parts)
  identityApprovals = createIdentityApprovals({
    ...parts,
    hash: createKeyedHash(pepper),
    farcasterLogins: {
      async verify(login) {
        verified.push(login)
        return { fid: 7n }
      },
    },
  })
})

beforeEach(async () => {
  await sql`
    truncate share_device, share_link, share_device_request, share_identity, share_contact, share_wallet, share_set cascade`.execute(
    database.kysely,
  )
  now = begin
  verified = []
  await devices.record(ann, 'laptop', { isFounder: true })
  await devices.record(ann, 'phone', { isFounder: false })
})

afterAll(async () => {
  await database.close()
  await place.close()
})

/** A link that approved a device at a time, or waits. */
async function addLink(
  key: string,
  approvedAt: number | null,
  { mailbox = randomBytes(32), purpose = 'device' } = {},
): Promise<void> {
  const bytes = randomBytes(32)
  await sql`
    insert into share_link
      (id, purpose, secret, match, mailbox, client, key_thumbprint, origin, browser, place, created_at, expires_at, approved_at)
    values (${randomUUID()}, ${purpose}, ${bytes}, '42', ${mailbox}, ${bytes}, ${key}, '', '', '', ${now}, ${now}, ${approvedAt})`.execute(
    database.kysely,
  )
}

const addWallet = (user: string) =>
  sql`
    insert into share_wallet (user_id, wallet_id, epoch, vault, created_at)
    values (${user}, ${randomBytes(16)}, 1, ${randomBytes(16)}, ${now})`.execute(database.kysely)

test('the founding device is established at once, and another one after exactly a day [A-08]', async () => {
  expect(await devices.isEstablishedDevice(ann, 'laptop')).toBe(true)
  now = begin + day - 1
  expect(await devices.isEstablishedDevice(ann, 'phone')).toBe(false)
  now = begin + day
  expect(await devices.isEstablishedDevice(ann, 'phone')).toBe(true)
  expect(await devices.isEstablishedDevice(ben, 'laptop')).toBe(false)
  expect(await devices.isEstablishedDevice(ben, 'phone')).toBe(false)
})

test('enrolling again makes a device neither older nor the founder [A-08]', async () => {
  now = begin + day / 2
  await devices.record(ann, 'phone', { isFounder: true })
  expect(await devices.isEstablishedDevice(ann, 'phone')).toBe(false)
  now = begin + day
  expect(await devices.isEstablishedDevice(ann, 'phone')).toBe(true)
})

test('a use counts for the device of its user only [K-08]', async () => {
  expect(await devices.recordUse(ann, 'phone')).toBe(true)
  expect(await devices.recordUse(ben, 'phone')).toBe(false)
  expect(await devices.recordUse(ann, 'tablet')).toBe(false)
})

test('a device that was unused for ninety days is forgotten, and others stay [K-08]', async () => {
  now = begin + hour
  await devices.recordUse(ann, 'phone')
  now = begin + 90 * day + hour
  await devices.sweep()
  expect(await devices.recordUse(ann, 'laptop')).toBe(false)
  expect(await devices.recordUse(ann, 'phone')).toBe(true)
})

test('a device that is revoked after its wait is not admitted again by the same request [K-08]', async () => {
  const phone = { user: 'ann', key: 'waiting phone' }
  await requests.request(phone, { browser: '', place: '' })
  now += day
  expect(await requests.getState(phone)).toBe('approved')
  await devices.record(phone.user, phone.key, { isFounder: false })
  await devices.revoke(phone.user, phone.key)
  expect(await requests.getState(phone)).toBe('stopped')
  await expect(requests.request(phone, { browser: '', place: '' })).rejects.toMatchObject({ status: 403 })
  now += 3 * day
  expect(await requests.request(phone, { browser: '', place: '' })).toMatchObject({ opensAt: now + day })
})

test('a revoked device is unknown, and the links that approved it no longer approve anything [K-08]', async () => {
  await devices.record(ben, 'phone', { isFounder: true })
  await addLink('phone', now)
  await addLink('laptop', now)
  await addLink('phone', null)
  await devices.revoke(ann, 'phone')
  expect(await devices.recordUse(ann, 'phone')).toBe(false)
  expect(await devices.recordUse(ann, 'laptop')).toBe(true)
  expect(await devices.recordUse(ben, 'phone')).toBe(true)
  const { rows } = await sql<{ key: string; at: number | null }>`
    select key_thumbprint as key, approved_at as at from share_link order by key, at`.execute(database.kysely)
  expect(rows).toEqual([
    { key: 'laptop', at: now },
    { key: 'phone', at: 0 },
    { key: 'phone', at: null },
  ])
})

describe('the request of a new device', () => {
  const tablet = { user: ann, key: 'tablet' }
  const getOtherMatch = (match: string): string => (match === '42' ? '43' : '42')

  async function request() {
    const { match } = (await requests.request(tablet, source)) ?? expect.fail('no wait')
    const { id } = (await requests.list(ann))[0] ?? expect.fail('no request')
    return { id, match }
  }

  test('is listed to its user only, until it is approved or stopped [K-11]', async () => {
    const opensAt = now + day
    const { id, match } = await request()
    expect(await requests.list(ann)).toEqual([{ id, ...source, at: now, opensAt }])
    expect(await requests.list(ben)).toEqual([])
    expect(await requests.getState(tablet)).toBe('waiting')
    await requests.approve(ann, { id, match })
    expect(await requests.list(ann)).toEqual([])
    await requests.request({ user: ann, key: 'watch' }, source)
    await requests.stop(ann, (await requests.list(ann))[0]?.id ?? '')
    expect(await requests.list(ann)).toEqual([])
  })

  test('lists ten devices at most, the latest first', async () => {
    for (let count = 0; count < 11; count++) {
      now += 1
      await requests.request({ user: ann, key: `device ${count}` }, source)
    }
    const times = (await requests.list(ann)).map(({ at }) => at)
    expect(times).toEqual(Array.from({ length: 10 }, (_, index) => now - index))
  })

  test('is approved for fifteen minutes, and by the wait of exactly a day [K-11]', async () => {
    const { id, match } = await request()
    await requests.approve(ann, { id, match })
    expect(await requests.request(tablet, source)).toBeUndefined()
    now += 15 * 60_000 - 1
    expect(await requests.getState(tablet)).toBe('approved')
    now += 1
    expect(await requests.getState(tablet)).toBe('waiting')
    now = begin + day - 1
    expect(await requests.getState(tablet)).toBe('waiting')
    now = begin + day
    expect(await requests.getState(tablet)).toBe('approved')
    now = begin + 3 * day
    expect(await requests.getState(tablet)).toBe('waiting')
    expect(await requests.request(tablet, source)).toMatchObject({ opensAt: now + day })
  })

  test('accepts three guesses of its digits, from its own user only [A-07]', async () => {
    const { id, match } = await request()
    await expect(requests.approve(ben, { id, match })).rejects.toMatchObject({ status: 404, field: 'id' })
    await expect(requests.approve(ann, { id: 'tablet', match })).rejects.toMatchObject({ status: 404, field: 'id' })
    for (let guess = 0; guess < 3; guess++) {
      const wrong = requests.approve(ann, { id, match: getOtherMatch(match) })
      await expect(wrong).rejects.toMatchObject({ status: 401, field: 'match' })
    }
    await expect(requests.approve(ann, { id, match })).rejects.toMatchObject({ status: 404, field: 'id' })
    expect(await requests.getState(tablet)).toBe('waiting')
  })

  test('is stopped by its user only, for three days in which no proof approves it [K-11]', async () => {
    const { id, match } = await request()
    await requests.stop(ben, id)
    await requests.stop(ann, 'tablet')
    expect(await requests.getState(tablet)).toBe('waiting')
    await requests.stop(ann, id)
    expect(await requests.getState(tablet)).toBe('stopped')
    await expect(requests.approve(ann, { id, match })).rejects.toMatchObject({ status: 404 })
    await expect(requests.approveByPasskey(tablet)).rejects.toMatchObject({ status: 404 })
    now += 3 * day - 1
    await expect(requests.request(tablet, source)).rejects.toMatchObject({ status: 403, field: 'stopped' })
    await requests.sweep()
    expect(await requests.getState(tablet)).toBe('stopped')
    now += 1
    await requests.sweep()
    expect((await sql`select from share_device_request`.execute(database.kysely)).rows).toEqual([])
  })

  test('is approved by a passkey while it waits only, and for its own device only [K-11]', async () => {
    await expect(requests.approveByPasskey(tablet)).rejects.toMatchObject({ status: 404 })
    await request()
    await expect(requests.approveByPasskey({ user: ben, key: 'tablet' })).rejects.toMatchObject({ status: 404 })
    await requests.approveByPasskey(tablet)
    expect(await requests.getState(tablet)).toBe('approved')
    now += 3 * day
    await expect(requests.approveByPasskey(tablet)).rejects.toMatchObject({ status: 404 })
  })
})

describe('the share store', () => {
  const [mailbox, otherMailbox] = [randomBytes(32), randomBytes(32)]
  const request = new IncomingMessage(new Socket())
  const refused = { status: 403, field: 'device' }
  const farcasterLogin = { authChallenge: '', sharesChallenge: '', message: '', signature: '' }

  /** The access of a device whose login the auth service claims. */
  function logIn(claims: Partial<AccessClaims> = {}) {
    const all = { user: ann, key: 'tablet', methods: ['email', 'passkey'], session: '', begunAt: now, ...claims }
    const parts = { database: database.kysely, clock, pepper, places: createPlaces(), page: () => '' }
    const access = createShareAccess({
      clock,
      authenticator: { authenticateKey: async () => all.key, authenticateUser: async () => all },
      links: createApprovalLinks({ ...parts, mailer: { send: async () => {}, close: async () => {} } }),
      identityApprovals,
      contacts: createContacts(parts),
      devices,
      deviceRequests: requests,
    })
    return {
      admit: () => access.admit(request),
      admitToSecondProof: () => access.admitToSecondProof(request),
    }
  }

  test('admits an enrolled device of the user, and no other by a login alone [K-11]', async () => {
    expect(await logIn({ key: 'phone' }).admit()).toMatchObject({ user: ann, key: 'phone' })
    await expect(logIn({ user: ben, key: 'phone' }).admit()).rejects.toMatchObject(refused)
    await expect(logIn().admit()).rejects.toMatchObject(refused)
  })

  test('admits a device by a link of the contact, for fifteen minutes, and by no other mailbox [K-11]', async () => {
    await addLink('tablet', now, { mailbox })
    expect(await logIn().admit()).toMatchObject({ key: 'tablet' })
    await addLink('watch', now, { mailbox: otherMailbox })
    await expect(logIn({ key: 'watch' }).admit()).rejects.toMatchObject(refused)
    await expect(logIn({ key: 'other' }).admit()).rejects.toMatchObject(refused)
    now += 15 * 60_000
    await expect(logIn().admit()).rejects.toMatchObject(refused)
  })

  test('admits no device by the link that confirms a mailbox [K-11]', async () => {
    await addLink('tablet', now, { mailbox, purpose: 'contact' })
    await expect(logIn().admit()).rejects.toMatchObject(refused)
  })

  test('admits a device by an account, for fifteen minutes, and by no other account [K-11]', async () => {
    await addWallet(ann)
    await identityApprovals.approve({ user: ann, key: 'tablet' }, mailbox)
    expect(await logIn().admit()).toMatchObject({ key: 'tablet' })
    await expect(logIn().admitToSecondProof()).rejects.toMatchObject(refused)
    await expect(logIn({ user: ben }).admit()).rejects.toMatchObject(refused)
    await identityApprovals.approve({ user: ann, key: 'watch' }, otherMailbox)
    await expect(logIn({ key: 'watch' }).admit()).rejects.toMatchObject(refused)
    now += 15 * 60_000
    await expect(logIn().admit()).rejects.toMatchObject(refused)
  })

  test('admits a device by Farcaster with a second proof only, once there is a wallet [K-11]', async () => {
    const tablet = { user: ann, key: 'tablet' }
    await expect(logIn().admitToSecondProof()).rejects.toMatchObject(refused)
    await identityApprovals.approveByFarcaster(tablet, farcasterLogin)
    expect(await logIn().admit()).toMatchObject(tablet)
    await addWallet(ann)
    await expect(logIn().admit()).rejects.toMatchObject(refused)
    expect(await logIn().admitToSecondProof()).toEqual(tablet)
    await requests.request(tablet, source)
    await expect(logIn().admit()).rejects.toMatchObject(refused)
    await requests.approveByPasskey(tablet)
    expect(await logIn().admit()).toMatchObject(tablet)
    await identityApprovals.revokeApproval(ann, 'tablet')
    await expect(logIn().admit()).rejects.toMatchObject(refused)
  })

  test('lets an account that is not the contact give no second proof [K-11]', async () => {
    await addLink('phone', now, { mailbox })
    await createContacts({ database: database.kysely, clock }).acceptOrPin(ann, mailbox)
    await identityApprovals.approveByFarcaster({ user: ann, key: 'tablet' }, farcasterLogin)
    await expect(logIn().admitToSecondProof()).rejects.toMatchObject(refused)
    await expect(logIn().admit()).rejects.toMatchObject(refused)
  })

  test('forgets a device that its owner removed, with its approvals from before [K-08]', async () => {
    await addLink('phone', now, { mailbox })
    await identityApprovals.approve({ user: ann, key: 'phone' }, mailbox)
    await expect(logIn({ key: 'phone', removedAt: now }).admit()).rejects.toMatchObject(refused)
    await expect(logIn({ key: 'phone' }).admit()).rejects.toMatchObject(refused)
    now += 1
    await addLink('phone', now, { mailbox })
    expect(await logIn({ key: 'phone', removedAt: now - 1 }).admit()).toMatchObject({ key: 'phone' })
  })

  test('judges the age of the login and of the device itself, and believes no claim of a passkey [A-08]', async () => {
    const [laptop, phone] = [await logIn({ key: 'laptop' }).admit(), await logIn({ key: 'phone' }).admit()]
    await expect(laptop.assertEstablishedDevice()).resolves.toBeUndefined()
    await expect(phone.assertEstablishedDevice()).rejects.toMatchObject({ status: 403, field: 'deviceAge' })
    expect(phone.hasFreshPasskey()).toBe(false)
    expect(() => phone.assertFreshLogin('export')).not.toThrow()
    now += 5 * 60_000 + 1
    expect(() => phone.assertFreshLogin('export')).toThrow(expect.objectContaining({ status: 403, field: 'fresh' }))
  })
})

test('the message of a Farcaster account is verified for the key of the device, and approves as that account [K-11]', async () => {
  const login = { authChallenge: 'a', sharesChallenge: 'b', message: 'c', signature: 'd' }
  await identityApprovals.approveByFarcaster({ user: ann, key: 'tablet' }, login)
  expect(verified).toEqual([{ ...login, key: 'tablet' }])
  const contact = createKeyedHash(pepper)('identity', ['farcaster', '7'].join('\0'))
  expect(await identityApprovals.findApproval(ann, 'tablet')).toEqual({ contact, needsSecondProof: true })
})

test('a device that its owner removed is not admitted by a request that it made before [K-08]', async () => {
  const tablet = { user: ann, key: 'tablet' }
  const old = { user: ann, key: 'watch' }
  for (const device of [tablet, old, { user: ben, key: 'tablet' }]) await requests.request(device, source)
  now += day
  await devices.forgetRemoved(tablet, now)
  expect(await requests.getState(tablet)).toBe('stopped')
  expect(await requests.getState(old)).toBe('approved')
  expect(await requests.getState({ user: ben, key: 'tablet' })).toBe('approved')
  // A request from after the removal is a new one.
  await devices.forgetRemoved(old, begin)
  expect(await requests.getState(old)).toBe('approved')
})

test('the devices of a user are listed, the latest first, also those that have stored a draft only', async () => {
  now += day
  await devices.record(ann, 'tablet', { isFounder: false })
  await devices.record(ben, 'bens', { isFounder: true })
  const setId = randomBytes(16)
  await sql`
    insert into share_set (user_id, set_id, wallet_id, epoch, key_thumbprint, share, created_at, used_at)
    values (${ann}, ${setId}, ${randomBytes(16)}, 1, 'draft', ${randomBytes(16)}, ${now + 1}, ${now})`.execute(
    database.kysely,
  )
  expect(await devices.describe(ann)).toEqual([
    { key: 'draft', since: now + 1 },
    { key: 'tablet', since: now },
    { key: 'laptop', since: begin },
    { key: 'phone', since: begin },
  ])
  expect(await devices.findByEnrolment(ann, setId)).toBe('draft')
  expect(await devices.findByEnrolment(ben, setId)).toBeUndefined()
  expect((await devices.list(ann)).find(({ key }) => key === 'tablet')).toEqual({ key: 'tablet', isEstablished: false })
  expect((await devices.list(ann)).filter(({ isEstablished }) => isEstablished)).toHaveLength(2)
  expect(await devices.list(ben)).toEqual([{ key: 'bens', isEstablished: true }])
})

test('identity approvals are deleted when they have expired, and Farcaster is refused where it is not set up', async () => {
  await identityApprovals.approve({ user: ann, key: 'tablet' }, randomBytes(32))
  now += 15 * 60_000 - 1
  await identityApprovals.sweep()
  expect(await identityApprovals.findApproval(ann, 'tablet')).toMatchObject({ needsSecondProof: false })
  now += 1
  await identityApprovals.sweep()
  expect((await sql`select from share_identity`.execute(database.kysely)).rows).toEqual([])
  const parts = { database: database.kysely, clock, hash: createKeyedHash(pepper), farcasterLogins: undefined }
  const login = { authChallenge: '', sharesChallenge: '', message: '', signature: '' }
  const approval = createIdentityApprovals(parts).approveByFarcaster({ user: ann, key: 'tablet' }, login)
  await expect(approval).rejects.toMatchObject({ status: 400, field: 'provider' })
})
