import { randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createSecrets, toKeyEncryptionProvider, type Secrets } from '../../kit/secrets/secrets.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createIdentities, type Identities } from './identities.ts'

const keyEncryption = toKeyEncryptionProvider([{ id: 'auth', key: randomBytes(32) }])
const annsAccount = { provider: 'github', subject: '1', userName: 'Ann', email: 'ann@example.org' } as const

let place: TestPostgres
let database: Database
let secrets: Secrets
let identities: Identities

beforeAll(async () => {
  place = await createTestDatabase('auth')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  secrets = createSecrets({ database: database.kysely, table: 'auth_data_key', keyEncryption })
  const clock = { now: () => 1_000 }
  identities = createIdentities({ database: database.kysely, clock, secrets, pepper: randomBytes(32) })
})
beforeEach(async () => {
  await sql`delete from auth_user`.execute(database.kysely)
  await sql`delete from auth_data_key`.execute(database.kysely)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

test('an account belongs to one user, by its provider and subject only [A-14]', async () => {
  const user = await identities.findOrCreateUser(annsAccount)
  expect(await identities.findOrCreateUser({ ...annsAccount, userName: 'Annie', email: 'x@example.org' })).toBe(user)
  expect(await identities.findUser({ provider: 'github', subject: '1' })).toBe(user)
  const others = [
    { ...annsAccount, provider: 'x' },
    { ...annsAccount, subject: '2' },
    { ...annsAccount, provider: 'github1', subject: '' },
  ]
  for (const other of others) {
    expect(await identities.findUser(other)).toBeUndefined()
    expect(await identities.findOrCreateUser(other)).not.toBe(user)
  }
})

test('a provider that claims the subject of another one finds no user of it [A-14]', async () => {
  await identities.findOrCreateUser(annsAccount)
  await sql`update auth_identity set provider = 'x'`.execute(database.kysely)
  expect(await identities.findUser(annsAccount)).toBeUndefined()
  expect(await identities.findUser({ provider: 'x', subject: '1' })).toBeUndefined()
})

test('concurrent first logins create one user, and leave no keys of others', async () => {
  const logins = Array.from({ length: 8 }, () => identities.findOrCreateUser(annsAccount))
  const users = new Set(await Promise.all(logins))
  expect(users.size).toBe(1)
  const { rows } = await sql<{ owner: string }>`select distinct owner from auth_data_key`.execute(database.kysely)
  expect(rows.map(({ owner }) => owner)).toEqual([...users])
})

test('a user has the name of the latest login, if that login has one', async () => {
  const user = await identities.findOrCreateUser(annsAccount)
  expect(await identities.find(user)).toEqual({ provider: 'github', userName: 'Ann' })
  await identities.findOrCreateUser({ provider: 'github', subject: '2', userName: 'Ben' })
  await identities.findOrCreateUser({ ...annsAccount, userName: 'Annie' })
  expect(await identities.find(user)).toEqual({ provider: 'github', userName: 'Annie' })
  await identities.findOrCreateUser({ provider: 'github', subject: '1' })
  expect(await identities.find(user)).toEqual({ provider: 'github', userName: undefined })
  expect(await identities.find(randomUUID())).toBeUndefined()
})

test('names, addresses and subjects are not readable in the database [K-05]', async () => {
  const user = await identities.findOrCreateUser({ ...annsAccount, subject: 'subject-of-ann' })
  const { rows } = await sql<{ name: Buffer; email: Buffer; row: string }>`
    select auth_identity.name, auth_user.email, auth_identity::text || auth_user::text as row
    from auth_user join auth_identity on auth_identity.user_id = auth_user.id`.execute(database.kysely)
  const [row = expect.fail('no row')] = rows
  for (const text of ['Ann', 'ann@example.org', 'subject-of-ann']) {
    expect(row.row).not.toContain(text)
    expect(row.row).not.toContain(Buffer.from(text).toString('hex'))
  }
  const location = { table: 'auth_user', row: user, owner: user }
  expect((await secrets.open(location, row.email)).toString()).toBe('ann@example.org')
  await expect(secrets.open(location, row.name)).rejects.toThrow('belongs to another row')
})

test('an account whose user was deleted and restored from a backup gets a new user [K-13]', async () => {
  const restored = await identities.findOrCreateUser(annsAccount)
  await secrets.destroy(restored)
  const users = await Promise.all([identities.findOrCreateUser(annsAccount), identities.findOrCreateUser(annsAccount)])
  expect(new Set(users).size).toBe(1)
  const [user = ''] = users
  expect(user).not.toBe(restored)
  expect(await identities.find(user)).toEqual({ provider: 'github', userName: 'Ann' })
  expect(await identities.find(restored)).toBeUndefined()
  expect(await secrets.hasKeys(restored)).toBe(false)
})

test('an account without a name and an address keeps its user', async () => {
  const account = { provider: 'facebook', subject: '1' }
  const user = await identities.findOrCreateUser(account)
  expect(await identities.findOrCreateUser(account)).toBe(user)
  expect(await identities.find(user)).toEqual({ provider: 'facebook', userName: undefined })
})
