import { createHash, randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createKeyEncryption } from '../../kit/secrets/keyEncryption.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createSecrets } from '../../kit/secrets/secrets.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createAuthShares, type AuthShares, type ShareOwner } from './authShares.ts'
import { authMigrations } from '../../schema/authMigrations.ts'
import { createUsers, type Users } from '../login/users.ts'
import { createShareProofs, type ShareProofs } from './shareProofs.ts'

let place: TestPostgres
let database: Database
let shares: AuthShares
let users: Users
let proofs: ShareProofs
let ann: ShareOwner
let now = 0
const day = 86_400_000

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
  const keeper = createKeyEncryption([{ id: 'one', key: randomBytes(32) }])
  const secrets = createSecrets({ database: database.kysely, table: 'auth_data_key', keyEncryption: keeper })
  const given = { database: database.kysely, clock: { now: () => now }, secrets }
  shares = createAuthShares(given)
  users = createUsers(given)
  proofs = createShareProofs(given)
})

beforeEach(async () => {
  now = Date.UTC(2026, 10, 22)
  await sql`truncate auth_user cascade`.execute(database.kysely)
  ann = { user: (await users.findOrCreateByMailbox(Buffer.from('ann'), 'ann@example.org')).id, key: 'laptop' }
})

afterAll(async () => {
  await database.close()
  await place.close()
})

const accounts = [{ namespace: 'eip155', address: '0xab' }]
const createShare = () => ({
  walletId: randomBytes(16),
  setId: randomBytes(16),
  epoch: 1,
  share: randomBytes(94),
})
const enrolShare = async (owner: ShareOwner, share = createShare()) => {
  await shares.prepare(owner, { ...share, accounts })
  await shares.commit(owner, share.setId)
  return share
}
const matchConflict = (field: string) => expect.objectContaining({ status: 409, field })

describe('an auth share', () => {
  test('is returned to its device as a draft, and as its own share once it is live', async () => {
    const share = createShare()
    await shares.prepare(ann, { ...share, accounts })
    await shares.prepare(ann, { ...share, accounts })
    expect(await shares.findPrepared(ann, share.setId)).toEqual(share)
    expect(await shares.findOwn(ann)).toBeUndefined()
    expect(await shares.listAccounts(ann.user)).toBeUndefined()
    await shares.commit(ann, share.setId)
    await shares.commit(ann, share.setId)
    expect(await shares.findOwn(ann)).toEqual(share)
    expect(await shares.listAccounts(ann.user)).toEqual(accounts)
  })

  test('is returned to other devices of the user for enrolment only, and to no other user', async () => {
    const share = await enrolShare(ann)
    const phone = { ...ann, key: 'phone' }
    expect(await shares.findOwn(phone)).toBeUndefined()
    expect(await shares.findPrepared(phone, share.setId)).toBeUndefined()
    expect(await shares.findForNewDevice(ann.user)).toEqual(share)
    const ben = (await users.findOrCreateByMailbox(Buffer.from('ben'), 'ben@example.org')).id
    expect(await shares.findOwn({ user: ben, key: ann.key })).toBeUndefined()
    expect(await shares.findForNewDevice(ben)).toBeUndefined()
  })

  test('under the ids of another user changes no data of that user [D-01]', async () => {
    const share = await enrolShare(ann)
    const eve = { user: (await users.findOrCreateByMailbox(Buffer.from('eve'), 'eve@example.org')).id, key: 'eve' }
    const copied = { ...share, share: randomBytes(94) }
    await enrolShare(eve, copied)
    expect([await shares.findOwn(ann), await shares.findOwn(eve)]).toEqual([share, copied])
    expect(await shares.revoke(eve.user, share.setId)).toBe('eve')
    expect(await shares.findOwn(ann)).toEqual(share)
  })

  test('is not returned after its device was revoked [K-08]', async () => {
    const share = await enrolShare(ann)
    const phone = { ...ann, key: 'phone' }
    const second = await enrolShare(phone, { ...createShare(), walletId: share.walletId })
    await shares.revoke(ann.user, share.setId)
    expect(await shares.findOwn(ann)).toBeUndefined()
    expect(await shares.findOwn(phone)).toEqual(second)
  })

  test('of another wallet is rejected, and of two first wallets one wins [K-14]', async () => {
    await enrolShare(ann)
    await expect(shares.prepare(ann, { ...createShare(), accounts })).rejects.toEqual(matchConflict('walletId'))
    const ben = { user: (await users.findOrCreateByMailbox(Buffer.from('ben'), 'ben@example.org')).id, key: 'laptop' }
    const both = [createShare(), createShare()]
    for (const share of both) await shares.prepare(ben, { ...share, accounts })
    const outcomes = await Promise.allSettled(both.map(({ setId }) => shares.commit(ben, setId)))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('with other contents under the same id is rejected for every device', async () => {
    const share = createShare()
    await shares.prepare(ann, { ...share, accounts })
    const other = { ...share, share: randomBytes(94), accounts }
    await expect(shares.prepare(ann, other)).rejects.toEqual(matchConflict('setId'))
    await expect(shares.prepare({ ...ann, key: 'phone' }, other)).rejects.toEqual(matchConflict('setId'))
  })

  test('is deleted after a day if it stayed a draft and another one is live [K-12]', async () => {
    const [draft, kept] = [createShare(), createShare()]
    await shares.prepare(ann, { ...draft, accounts })
    await enrolShare(ann, kept)
    now += day - 1
    await shares.sweep()
    expect(await shares.findPrepared(ann, draft.setId)).toEqual(draft)
    now += 1
    await shares.sweep()
    expect(await shares.findPrepared(ann, draft.setId)).toBeUndefined()
    expect(await shares.findOwn(ann)).toEqual(kept)
  })

  test('is deleted after a day if it stayed a draft beside the enrolment that created the wallet [K-12]', async () => {
    const first = await enrolShare(ann)
    const draft = { ...createShare(), walletId: first.walletId }
    await shares.prepare({ ...ann, key: 'phone' }, { ...draft, accounts })
    now += day
    await shares.sweep()
    expect(await shares.findForNewDevice(ann.user, draft.setId)).toBeUndefined()
    expect(await shares.findOwn(ann)).toEqual(first)
  })

  test('stays available as a draft while there is no wallet, because the share store may have committed it [K-12]', async () => {
    const draft = createShare()
    await shares.prepare(ann, { ...draft, accounts })
    now += 30 * day
    await shares.sweep()
    expect(await shares.findForNewDevice(ann.user, draft.setId)).toEqual(draft)
    const kept = await enrolShare({ ...ann, key: 'phone' })
    expect(await shares.findForNewDevice(ann.user, draft.setId)).toBeUndefined()
    expect(await shares.findForNewDevice(ann.user)).toEqual(kept)
  })

  test('stays as a draft until the device that was enrolled from it is settled [K-12]', async () => {
    // The share store has committed the first device's enrolment. Then both devices stop between the commits.
    const first = createShare()
    await shares.prepare(ann, { ...first, accounts })
    const phone = { ...ann, key: 'phone' }
    const next = await enrolShare(phone, { ...createShare(), walletId: first.walletId })
    now += 2 * day
    await shares.sweep()
    expect(await shares.findForNewDevice(ann.user, first.setId)).toEqual(first)
    await shares.commit(phone, next.setId)
    await shares.sweep()
    expect(await shares.findForNewDevice(ann.user, first.setId)).toBeUndefined()
    expect(await shares.findOwn(phone)).toEqual(next)
  })

  test('outlasts junk that the thief of a login code commits twice, at any age [C-08]', async () => {
    const share = await enrolShare(ann)
    now += day
    const thief = { ...ann, key: 'thief' }
    await users.recordDevice(ann.user, thief.key)
    const junk = await enrolShare(thief, { ...createShare(), walletId: share.walletId })
    await shares.commit(thief, junk.setId)
    // The share store approved this device, too, but it never opened the wallet.
    await users.recordProof(ann.user, thief.key)
    now += 91 * day
    await shares.sweep()
    expect(await shares.findForNewDevice(ann.user, share.setId)).toEqual(share)
    expect(await shares.findOwn(ann)).toEqual(share)
  })

  test('outlasts that junk as a draft that only the share store has committed [C-08] [K-12]', async () => {
    const share = await enrolShare(ann)
    const next = { ...createShare(), walletId: share.walletId }
    await shares.prepare(ann, { ...next, accounts })
    await sql`update auth_share set settled_at = null`.execute(database.kysely)
    const thief = { ...ann, key: 'thief' }
    await users.recordDevice(ann.user, thief.key)
    const junk = await enrolShare(thief, { ...createShare(), walletId: share.walletId })
    await shares.commit(thief, junk.setId)
    now += 2 * day
    await shares.sweep()
    expect(await shares.findPrepared(ann, next.setId)).toEqual(next)
  })

  test('is deleted after ninety days without use once a device that opened the wallet has a newer one', async () => {
    const share = await enrolShare(ann)
    now += day
    const phone = { ...ann, key: 'phone' }
    await users.recordDevice(ann.user, phone.key)
    const next = await enrolShare(phone, { ...createShare(), walletId: share.walletId })
    await shares.commit(phone, next.setId, { isProven: true })
    // The owner's use of the first share counts, and not only its enrolment.
    expect(await shares.findOwn(ann)).toEqual(share)
    now += 90 * day - 1
    await shares.sweep()
    expect(await shares.findForNewDevice(ann.user, share.setId)).toEqual(share)
    now += 1
    await shares.sweep()
    expect(await shares.findForNewDevice(ann.user, share.setId)).toBeUndefined()
    expect(await shares.findOwn(phone)).toEqual(next)
  })

  test('is sealed in the database and does not open in another row [K-05] [K-06]', async () => {
    const share = await enrolShare(ann)
    const { rows } = await sql<{ row: string }>`select auth_share::text as row from auth_share`.execute(database.kysely)
    expect(rows.map(({ row }) => row).join()).not.toContain(share.share.toString('hex'))
    const ben = { user: (await users.findOrCreateByMailbox(Buffer.from('ben'), 'ben@example.org')).id, key: 'laptop' }
    const his = await enrolShare(ben)
    await sql`
      update auth_share set share = (select share from auth_share where set_id = ${share.setId})
      where set_id = ${his.setId}`.execute(database.kysely)
    await expect(shares.findOwn(ben)).rejects.toThrow('belongs to another row')
  })
})

describe('the next epoch of a wallet', () => {
  test('does not begin with a draft of a far epoch from before the wallet, even if the thief knows its id [C-08]', async () => {
    const thief = { ...ann, key: 'thief' }
    const far = { ...createShare(), epoch: 3 }
    await shares.prepare(thief, { ...far, accounts })
    const first = await enrolShare(ann, { ...createShare(), walletId: far.walletId })
    await expect(shares.commit(thief, far.setId)).rejects.toEqual(matchConflict('walletId'))
    expect(await shares.findOwn(ann)).toEqual(first)
  })

  test('deletes all shares of the previous one, and a later or an older epoch is refused [K-08]', async () => {
    const first = await enrolShare(ann)
    const phone = { ...ann, key: 'phone' }
    await enrolShare(phone, { ...createShare(), walletId: first.walletId })
    expect(await shares.startsNextEpoch(ann.user, 1)).toBe(false)
    expect(await shares.startsNextEpoch(ann.user, 2)).toBe(true)
    expect(await shares.startsNextEpoch(randomUUID(), 2)).toBe(false)
    const next = { ...createShare(), walletId: first.walletId, epoch: 2 }
    const skipped = shares.prepare(ann, { ...next, epoch: 3, accounts })
    await expect(skipped).rejects.toEqual(matchConflict('walletId'))
    await shares.prepare(ann, { ...next, accounts })
    expect(await shares.isNextEpochPrepared(ann, next.setId)).toBe(true)
    expect(await shares.isNextEpochPrepared(phone, next.setId)).toBe(false)
    expect(await shares.isNextEpochPrepared(ann, first.setId)).toBe(false)
    await shares.commit(ann, next.setId)
    expect(await shares.isNextEpochPrepared(ann, next.setId)).toBe(false)
    expect([await shares.findOwn(ann), await shares.findOwn(phone)]).toEqual([next, undefined])
    expect(await shares.findForNewDevice(ann.user, first.setId)).toBeUndefined()
    const { rows } = await sql`select from auth_share`.execute(database.kysely)
    expect(rows).toHaveLength(1)
    const older = shares.prepare(phone, { ...createShare(), walletId: first.walletId, accounts })
    await expect(older).rejects.toEqual(matchConflict('walletId'))
  })

  test('destroys the data key of the previous epoch, so that a backup of its shares does not open [K-06]', async () => {
    const first = await enrolShare(ann)
    const { rows } = await sql<{ share: Buffer }>`select share from auth_share`.execute(database.kysely)
    await enrolShare(ann, { ...createShare(), walletId: first.walletId, epoch: 2 })
    await sql`
      insert into auth_share (set_id, user_id, wallet_id, epoch, key_thumbprint, share, accounts, created_at, used_at, browser)
      values (${first.setId}, ${ann.user}, ${first.walletId}, 1, 'laptop', ${rows[0]?.share}, '[]', ${now}, ${now}, '')`.execute(
      database.kysely,
    )
    await expect(shares.findPrepared(ann, first.setId)).rejects.toBeInstanceOf(Error)
  })
})

describe('the devices of a wallet', () => {
  test('are listed with their latest share, and a draft or another user is not', async () => {
    const first = createShare()
    await shares.prepare(ann, { ...first, accounts }, { browser: 'Firefox', origin: 'https://app.example' })
    expect(await shares.listDevices(ann.user)).toEqual([])
    await shares.commit(ann, first.setId)
    now += 1
    const phone = { ...ann, key: 'phone' }
    const second = await enrolShare(phone, { ...createShare(), walletId: first.walletId })
    expect(await shares.listDevices(ann.user)).toEqual([
      { setId: second.setId, key: 'phone', browser: '', origin: undefined, createdAt: now },
      { setId: first.setId, key: 'laptop', browser: 'Firefox', origin: 'https://app.example', createdAt: now - 1 },
    ])
    expect(await shares.listDevices(randomUUID())).toEqual([])
  })

  test('are at most twenty-five, of which each may enrol again', async () => {
    const { walletId } = await enrolShare(ann)
    for (let count = 1; count < 25; count++) {
      const device = { ...ann, key: `${count}` }
      const { setId } = await enrolShare(device, { ...createShare(), walletId })
      await shares.commit(device, setId, { isProven: true })
    }
    const again = { ...createShare(), walletId }
    await expect(shares.prepare({ ...ann, key: '1' }, { ...again, accounts })).resolves.toBeUndefined()
    const more = shares.prepare({ ...ann, key: 'more' }, { ...createShare(), walletId, accounts })
    await expect(more).rejects.toMatchObject({ status: 429, field: 'walletId' })
    const next = { ...createShare(), walletId, epoch: 2, accounts }
    await expect(shares.prepare({ ...ann, key: 'more' }, next)).resolves.toBeUndefined()
  })

  test('of a thief who did not open the wallet take no place of the owner’s devices [C-08]', async () => {
    const { walletId } = await enrolShare(ann)
    for (let count = 0; count < 25; count++) {
      const thief = { ...ann, key: `thief ${count}` }
      const { setId } = await enrolShare(thief, { ...createShare(), walletId })
      await shares.commit(thief, setId)
    }
    const phone = shares.prepare({ ...ann, key: 'phone' }, { ...createShare(), walletId, accounts })
    await expect(phone).resolves.toBeUndefined()
  })

  test('lose all their shares when they are revoked by key or by enrolment, and other devices keep theirs [K-08]', async () => {
    const share = await enrolShare(ann)
    const phone = { ...ann, key: 'phone' }
    const kept = await enrolShare(phone, { ...createShare(), walletId: share.walletId })
    const draft = { ...createShare(), walletId: share.walletId }
    await shares.prepare(ann, { ...draft, accounts })
    expect(await shares.revoke(ann.user, randomBytes(16))).toBeUndefined()
    expect(await shares.revoke(ann.user, share.setId)).toBe('laptop')
    expect(await shares.findPrepared(ann, draft.setId)).toBeUndefined()
    await shares.revokeKey({ user: randomUUID(), key: 'phone' })
    await shares.revokeKey(ann)
    expect(await shares.findOwn(phone)).toEqual(kept)
    await shares.revokeKey(phone)
    expect(await shares.findOwn(phone)).toBeUndefined()
  })

  test('show the keys of an existing wallet only', async () => {
    await expect(shares.recordExport(ann.user)).rejects.toMatchObject({ status: 404, field: 'user' })
    await enrolShare(ann)
    expect(await shares.recordExport(ann.user)).toBe(now)
  })

  test('commit no share that another device prepared, or none', async () => {
    const share = createShare()
    await shares.prepare(ann, { ...share, accounts })
    for (const [owner, setId] of [
      [{ ...ann, key: 'phone' }, share.setId],
      [ann, randomBytes(16)],
    ] as const) {
      await expect(shares.commit(owner, setId)).rejects.toMatchObject({ status: 404, field: 'setId' })
    }
    expect(await shares.findOwn(ann)).toBeUndefined()
  })
})

describe('the proof of an enrolment', () => {
  const proof = randomBytes(32)
  const verifier = createHash('sha256').update(proof).digest()

  test('belongs to its user and enrolment, and only the first verifier of the same device counts [C-06]', async () => {
    const share = await enrolShare(ann)
    expect(await proofs.isValid(ann.user, share.setId, proof)).toBe(false)
    await proofs.store({ ...ann, key: 'thief' }, share.setId, verifier)
    await proofs.store({ ...ann, user: randomUUID() }, share.setId, verifier)
    expect(await proofs.isValid(ann.user, share.setId, proof)).toBe(false)
    await proofs.store(ann, share.setId, verifier)
    await proofs.store(ann, share.setId, randomBytes(32))
    expect(await proofs.isValid(ann.user, share.setId, proof)).toBe(true)
    expect(await proofs.isValid(ann.user, share.setId, verifier)).toBe(false)
    expect(await proofs.isValid(ann.user, randomBytes(16), proof)).toBe(false)
    expect(await proofs.isValid(randomUUID(), share.setId, proof)).toBe(false)
  })

  test('proves another device only if a proven device or the founder made the enrolment [C-08]', async () => {
    await users.recordDevice(ann.user, ann.key)
    const share = await enrolShare(ann)
    const thief = { ...ann, key: 'thief' }
    await users.recordDevice(ann.user, thief.key)
    const junk = await enrolShare(thief, { ...createShare(), walletId: share.walletId })
    expect(await proofs.isOfProvenDevice(thief, share.setId)).toBe(true)
    expect(await proofs.isOfProvenDevice(ann, share.setId)).toBe(false)
    expect(await proofs.isOfProvenDevice({ ...ann, key: 'second frame' }, junk.setId)).toBe(false)
    expect(await proofs.isOfProvenDevice({ user: randomUUID(), key: 'thief' }, share.setId)).toBe(false)
    await users.recordProof(ann.user, thief.key)
    expect(await proofs.isOfProvenDevice({ ...ann, key: 'second frame' }, junk.setId)).toBe(true)
  })
})

describe('a user', () => {
  test('is created once by concurrent logins with one mailbox, with a sealed address', async () => {
    const found = await Promise.all(
      Array.from({ length: 10 }, () => users.findOrCreateByMailbox(Buffer.from('eve'), 'eve@example.org')),
    )
    expect(new Set(found.map(({ id }) => id)).size).toBe(1)
    expect(await users.find(found[0]?.id ?? '')).toEqual({ id: found[0]?.id, email: 'eve@example.org' })
    const { rows } = await sql<{ row: string }>`select auth_user::text as row from auth_user`.execute(database.kysely)
    expect(rows.map(({ row }) => row).join()).not.toContain(Buffer.from('eve@example.org').toString('hex'))
  })

  test('exists until the user or its data keys are gone [C-08] [K-13]', async () => {
    expect(await users.exists(ann.user)).toBe(true)
    expect([await users.exists(randomUUID()), await users.exists('no id')]).toEqual([false, false])
    await sql`delete from auth_data_key where owner = ${ann.user}`.execute(database.kysely)
    expect(await users.exists(ann.user)).toBe(false)
  })

  test('has a known device for ninety days', async () => {
    await users.recordDevice(ann.user, ann.key)
    expect([await users.isKnownDevice(ann.key), await users.isKnownDevice('phone')]).toEqual([true, false])
    now += 90 * day
    expect(await users.isKnownDevice(ann.key)).toBe(false)
  })
})
