import { randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createKeyEncryption } from '../../kit/secrets/keyEncryption.ts'
import { createSecrets, type Secrets } from '../../kit/secrets/secrets.ts'
import { authMigrations } from '../../schema/authMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createUsers, type Users } from './users.ts'

const day = 86_400_000
const annsMailbox = Buffer.from('ann')

let place: TestPostgres
let database: Database
let secrets: Secrets
let users: Users
let ann = ''
let now = 0

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
  const keyEncryption = createKeyEncryption([{ id: 'one', key: randomBytes(32) }])
  secrets = createSecrets({ database: database.kysely, table: 'auth_data_key', keyEncryption })
  users = createUsers({ database: database.kysely, clock: { now: () => now }, secrets })
})
beforeEach(async () => {
  now = Date.UTC(2026, 10, 22)
  await sql`truncate auth_user, auth_removed_device, auth_data_key cascade`.execute(database.kysely)
  ann = (await users.findOrCreateByMailbox(annsMailbox, 'ann@example.org')).id
})
afterAll(async () => {
  await database.close()
  await place.close()
})

const foundWallet = async (key: string, user = ann) =>
  sql`insert into auth_wallet (user_id, wallet_id, epoch, accounts, founder)
    values (${user}, ${randomBytes(16)}, 1, '[]', ${key})`.execute(database.kysely)

describe('a user', () => {
  test('is found by mailbox and id, and its address is sealed for its row [K-05]', async () => {
    expect(await users.findOrCreateByMailbox(annsMailbox, 'other@example.org')).toEqual({
      id: ann,
      email: 'ann@example.org',
    })
    expect(await users.find(ann)).toEqual({ id: ann, email: 'ann@example.org' })
    expect(await users.findMailbox(ann)).toEqual({ mailbox: annsMailbox, email: 'ann@example.org' })
    expect(await users.find(randomUUID())).toBeUndefined()
    expect(await users.findMailbox(randomUUID())).toBeUndefined()
    const ben = await users.findOrCreateByMailbox(Buffer.from('ben'), 'ben@example.org')
    expect(ben.id).not.toBe(ann)
    await sql`update auth_user set email = (select email from auth_user where id = ${ann}) where id = ${ben.id}`.execute(
      database.kysely,
    )
    await expect(users.find(ben.id)).rejects.toThrow('belongs to another row')
  })

  test('exists while it has a row and data keys, and no other text is one [K-13]', async () => {
    expect(await users.exists(ann)).toBe(true)
    expect(await users.exists(randomUUID())).toBe(false)
    expect(await users.exists('ann')).toBe(false)
    await secrets.destroy(ann)
    expect(await users.exists(ann)).toBe(false)
  })

  test('whose data keys were destroyed is another one at the next login [K-13]', async () => {
    await secrets.destroy(ann)
    const next = await users.findOrCreateByMailbox(annsMailbox, 'ann@example.org')
    expect(next.id).not.toBe(ann)
    expect(await users.find(ann)).toBeUndefined()
    expect(await users.find(next.id)).toEqual(next)
  })

  test('is one user after five logins at the same time, without data keys of another', async () => {
    const repeat = <T>(act: () => Promise<T>) => Promise.all(Array.from({ length: 5 }, act))
    // Without open connections, the first login ends before the others begin.
    await repeat(() => users.find(ann))
    const found = await repeat(() => users.findOrCreateByMailbox(Buffer.from('cat'), 'cat@example.org'))
    const [cat] = found
    expect(found).toEqual(Array.from({ length: 5 }, () => cat))
    const owners = await sql`select distinct owner from auth_data_key where owner <> ${ann}`.execute(database.kysely)
    expect(owners.rows).toEqual([{ owner: cat?.id }])
  })

  test('moves to a mailbox that is free, and to none, but not to that of another user', async () => {
    const ben = await users.findOrCreateByMailbox(Buffer.from('ben'), 'ben@example.org')
    const move = async (mailbox: Buffer | undefined, address: string, id = ann) => {
      const email = await users.sealEmail(id, address)
      await database.kysely.transaction().execute((within) => users.changeMailbox(within, id, { mailbox, email }))
    }
    await expect(move(Buffer.from('ben'), 'ben@example.org')).rejects.toMatchObject({ status: 409, field: 'email' })
    await move(Buffer.from('ann2'), 'ann@example.net')
    expect(await users.findMailbox(ann)).toEqual({ mailbox: Buffer.from('ann2'), email: 'ann@example.net' })
    expect(await users.hasMailbox(ann)).toBe(true)
    await move(undefined, 'ann@example.net')
    expect(await users.hasMailbox(ann)).toBe(false)
    expect(await users.findMailbox(ann)).toBeUndefined()
    // Two users without a mailbox don't exclude each other.
    await move(undefined, 'ben@example.org', ben.id)
    expect(await users.hasMailbox(ben.id)).toBe(false)
  })
})

describe('a device', () => {
  const states = async (key: string, user = ann) => ({
    isKnown: await users.isKnownDevice(key),
    isProven: await users.isProvenDevice(user, key),
    isEstablished: await users.isEstablishedDevice(user, key),
    isOfMailbox: await users.isProvenDeviceOfMailbox(annsMailbox, key),
  })
  const loggedIn = { isKnown: true, isProven: false, isEstablished: false, isOfMailbox: false }
  const proven = { isKnown: true, isProven: true, isEstablished: false, isOfMailbox: true }

  test('that only logged in stays unproven at any age [C-08]', async () => {
    expect(await states('phone')).toEqual({ ...loggedIn, isKnown: false })
    await users.recordDevice(ann, 'phone')
    now += 30 * day
    expect(await states('phone')).toEqual(loggedIn)
  })

  test('is established a day after its first proof, and for its own user only [C-08]', async () => {
    await users.recordDevice(ann, 'phone')
    await users.recordProof(ann, 'phone')
    now += day - 1
    await users.recordProof(ann, 'phone')
    expect(await states('phone')).toEqual(proven)
    now += 1
    expect(await states('phone')).toEqual({ ...proven, isEstablished: true })
    const ben = await users.findOrCreateByMailbox(Buffer.from('ben'), 'ben@example.org')
    await users.recordDevice(ben.id, 'phone')
    expect(await states('phone', ben.id)).toMatchObject({ isProven: false, isEstablished: false })
    expect(await states('tablet')).toEqual({ ...loggedIn, isKnown: false })
  })

  test('that founded the wallet is proven and established at once, and no other one', async () => {
    await users.recordDevice(ann, 'laptop')
    await users.recordDevice(ann, 'phone')
    await foundWallet('laptop')
    expect(await states('laptop')).toEqual({ ...proven, isEstablished: true })
    expect(await states('phone')).toEqual(loggedIn)
  })

  test('proves itself again after ninety days without use, at the time of its return [C-08]', async () => {
    await users.recordDevice(ann, 'phone')
    await users.recordProof(ann, 'phone')
    now += 90 * day - 1
    await users.recordDevice(ann, 'phone')
    expect(await states('phone')).toEqual({ ...proven, isEstablished: true })
    now += 90 * day
    expect(await states('phone')).toMatchObject({ isKnown: false, isOfMailbox: false })
    await users.recordDevice(ann, 'phone')
    expect(await states('phone')).toEqual(proven)
    now += day
    expect(await states('phone')).toEqual({ ...proven, isEstablished: true })
  })

  test('without a proof gains none by its return [C-08]', async () => {
    await users.recordDevice(ann, 'phone')
    now += 100 * day
    await users.recordDevice(ann, 'phone')
    now += day
    expect(await states('phone')).toEqual(loggedIn)
  })

  test('is a new one after its removal, even the founder, and the removal has the latest time [C-08]', async () => {
    await users.recordDevice(ann, 'laptop')
    await users.recordDevice(ann, 'phone')
    await foundWallet('laptop')
    await users.forgetDevice(ann, 'phone')
    expect(await states('laptop')).toMatchObject({ isEstablished: true })
    await users.forgetDevice(ann, 'laptop')
    now += 5
    await users.forgetDevice(ann, 'laptop')
    expect(await states('laptop')).toEqual({ ...loggedIn, isKnown: false })
    await users.recordDevice(ann, 'laptop')
    now += day
    expect(await states('laptop')).toEqual(loggedIn)
    const removals = await sql`select key_thumbprint as key, at from auth_removed_device order by key`.execute(
      database.kysely,
    )
    expect(removals.rows).toEqual([
      { key: 'laptop', at: now - day },
      { key: 'phone', at: now - day - 5 },
    ])
  })
})
