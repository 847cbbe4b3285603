import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../kit/database.ts'
import { createKeyEncryption } from '../kit/keyEncryption.ts'
import { migrate } from '../kit/migrations.ts'
import { createSecrets } from '../kit/secrets.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { createAuthShares, type AuthShares, type Owner } from './authShares.ts'
import { authMigrations } from './migrations.ts'
import { createUsers, type Users } from './users.ts'

let place: TestPostgres
let database: Database
let shares: AuthShares
let users: Users
let ann: Owner
let now = 0
const day = 86_400_000

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
  const keeper = createKeyEncryption([{ id: 'one', key: randomBytes(32) }])
  const secrets = createSecrets({ database: database.kysely, table: 'auth_data_key', keeper })
  const given = { database: database.kysely, clock: { now: () => now }, secrets }
  shares = createAuthShares(given)
  users = createUsers(given)
})

beforeEach(async () => {
  now = Date.UTC(2026, 10, 22)
  await sql`truncate auth_user cascade`.execute(database.kysely)
  ann = { user: (await users.byMailbox(Buffer.from('ann'), 'ann@example.org')).id, key: 'laptop' }
})

afterAll(async () => {
  await database.close()
  await place.close()
})

const accounts = [{ namespace: 'eip155', address: '0xab' }]
const aShare = () => ({
  walletId: randomBytes(16),
  setId: randomBytes(16),
  epoch: 1,
  share: randomBytes(94),
})
const enrolled = async (owner: Owner, share = aShare()) => {
  await shares.prepare(owner, { ...share, accounts })
  await shares.commit(owner, share.setId)
  return share
}
const conflict = (field: string) => expect.objectContaining({ status: 409, field })

describe('the part of a wallet key that is kept with the login', () => {
  test('is read back before it counts, and given to its device once it does', async () => {
    const share = aShare()
    await shares.prepare(ann, { ...share, accounts })
    await shares.prepare(ann, { ...share, accounts })
    expect(await shares.read(ann, share.setId)).toEqual(share)
    expect(await shares.own(ann)).toBeUndefined()
    expect(await shares.accounts(ann.user)).toBeUndefined()
    await shares.commit(ann, share.setId)
    await shares.commit(ann, share.setId)
    expect(await shares.own(ann)).toEqual(share)
    expect(await shares.accounts(ann.user)).toEqual(accounts)
  })

  test('is given to no other device of the user, but for setting one up, and to no other user', async () => {
    const share = await enrolled(ann)
    const phone = { ...ann, key: 'phone' }
    expect(await shares.own(phone)).toBeUndefined()
    expect(await shares.read(phone, share.setId)).toBeUndefined()
    expect(await shares.any(ann.user)).toEqual(share)
    const ben = (await users.byMailbox(Buffer.from('ben'), 'ben@example.org')).id
    expect(await shares.own({ user: ben, key: ann.key })).toBeUndefined()
    expect(await shares.any(ben)).toBeUndefined()
  })

  test('is not given any more once its device was taken away [K-08]', async () => {
    const share = await enrolled(ann)
    const phone = { ...ann, key: 'phone' }
    const second = await enrolled(phone, { ...aShare(), walletId: share.walletId })
    await shares.revoke(ann.user, share.setId)
    expect(await shares.own(ann)).toBeUndefined()
    expect(await shares.own(phone)).toEqual(second)
  })

  test('of another wallet is refused, and of two first ones one counts [K-14]', async () => {
    await enrolled(ann)
    await expect(shares.prepare(ann, { ...aShare(), accounts })).rejects.toEqual(conflict('walletId'))
    const ben = { user: (await users.byMailbox(Buffer.from('ben'), 'ben@example.org')).id, key: 'laptop' }
    const both = [aShare(), aShare()]
    for (const share of both) await shares.prepare(ben, { ...share, accounts })
    const outcomes = await Promise.allSettled(both.map(({ setId }) => shares.commit(ben, setId)))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('with other contents under the same id is refused, whoever brings them', async () => {
    const share = aShare()
    await shares.prepare(ann, { ...share, accounts })
    const other = { ...share, share: randomBytes(94), accounts }
    await expect(shares.prepare(ann, other)).rejects.toEqual(conflict('setId'))
    await expect(shares.prepare({ ...ann, key: 'phone' }, other)).rejects.toEqual(conflict('setId'))
  })

  test('is forgotten after a day when it never counted and another one does [K-12]', async () => {
    const [draft, kept] = [aShare(), aShare()]
    await shares.prepare(ann, { ...draft, accounts })
    await enrolled(ann, kept)
    now += day
    await shares.sweep()
    expect(await shares.read(ann, draft.setId)).toBeUndefined()
    expect(await shares.own(ann)).toEqual(kept)
  })

  test('is kept and given as a draft while there is no wallet, for the share store may count it already [K-12]', async () => {
    const draft = aShare()
    await shares.prepare(ann, { ...draft, accounts })
    now += 30 * day
    await shares.sweep()
    expect(await shares.any(ann.user, draft.setId)).toEqual(draft)
    const kept = await enrolled({ ...ann, key: 'phone' })
    expect(await shares.any(ann.user, draft.setId)).toBeUndefined()
    expect(await shares.any(ann.user)).toEqual(kept)
  })

  test('is kept as a draft until the device that was set up from it is settled, too [K-12]', async () => {
    // The share store counts the first device's; then both devices die between the commits.
    const first = aShare()
    await shares.prepare(ann, { ...first, accounts })
    const phone = { ...ann, key: 'phone' }
    const next = await enrolled(phone, { ...aShare(), walletId: first.walletId })
    now += 2 * day
    await shares.sweep()
    expect(await shares.any(ann.user, first.setId)).toEqual(first)
    await shares.commit(phone, next.setId)
    await shares.sweep()
    expect(await shares.any(ann.user, first.setId)).toBeUndefined()
    expect(await shares.own(phone)).toEqual(next)
  })

  test('is sealed in the database, and does not open in another row [K-05] [K-06]', async () => {
    const share = await enrolled(ann)
    const { rows } = await sql<{ row: string }>`select auth_share::text as row from auth_share`.execute(database.kysely)
    expect(rows.map(({ row }) => row).join()).not.toContain(share.share.toString('hex'))
    const ben = { user: (await users.byMailbox(Buffer.from('ben'), 'ben@example.org')).id, key: 'laptop' }
    const his = await enrolled(ben)
    await sql`
      update auth_share set share = (select share from auth_share where set_id = ${share.setId})
      where set_id = ${his.setId}`.execute(database.kysely)
    await expect(shares.own(ben)).rejects.toThrow('belongs to another row')
  })
})

describe('a user', () => {
  test('is one for all who come with his mailbox at once, and his address is sealed', async () => {
    const found = await Promise.all(
      Array.from({ length: 10 }, () => users.byMailbox(Buffer.from('eve'), 'eve@example.org')),
    )
    expect(new Set(found.map(({ id }) => id)).size).toBe(1)
    expect(await users.find(found[0]?.id ?? '')).toEqual({ id: found[0]?.id, email: 'eve@example.org' })
    const { rows } = await sql<{ row: string }>`select auth_user::text as row from auth_user`.execute(database.kysely)
    expect(rows.map(({ row }) => row).join()).not.toContain(Buffer.from('eve@example.org').toString('hex'))
  })

  test('is known by his device for ninety days', async () => {
    await users.rememberKey(ann.user, ann.key)
    expect([await users.isKnownKey(ann.key), await users.isKnownKey('phone')]).toEqual([true, false])
    now += 90 * day
    expect(await users.isKnownKey(ann.key)).toBe(false)
  })
})
