import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authMigrations } from '../../schema/authMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { openDatabase, type Database } from '../database/database.ts'
import { createKeyEncryption } from './keyEncryption.ts'
import { migrate } from '../database/migrations.ts'
import { createSecrets, type SecretLocation, type Secrets } from './secrets.ts'

let place: TestPostgres
let database: Database
let secrets: Secrets
const unreadable: SecretLocation[] = []

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
  const keeper = createKeyEncryption([{ id: 'one', key: randomBytes(32) }])
  const onUnreadable = (where: SecretLocation): void => void unreadable.push(where)
  secrets = createSecrets({ database: database.kysely, table: 'auth_data_key', keyEncryption: keeper, onUnreadable })
})
afterAll(async () => {
  await database.close()
  await place.close()
})

const here = { table: 'auth_share', row: 'one', owner: 'ann', scope: 'first' }

test.each([
  ['row', { row: 'two' }],
  ['table', { table: 'auth_user' }],
  ['owner', { owner: 'ben' }],
  ['scope', { scope: 'second' }],
])('a value sealed for one place does not open at another %s, and the failure is reported [K-06]', async (_, other) => {
  const there = { ...here, ...other }
  const sealed = await secrets.seal(here, Buffer.from('a share'))
  // An attacker with access to both rows: only the location differs.
  await secrets.seal(there, Buffer.from('another'))
  expect((await secrets.open(here, sealed)).toString()).toBe('a share')
  unreadable.length = 0
  await expect(secrets.open(there, sealed)).rejects.toBeInstanceOf(Error)
  expect(unreadable).toEqual([there])
})

test('deleting a data key makes the values sealed under it unreadable, and no others', async () => {
  const other = { ...here, scope: 'second' }
  const [sealed, sealedOther] = [
    await secrets.seal(here, Buffer.from('gone')),
    await secrets.seal(other, Buffer.from('kept')),
  ]
  await secrets.destroy('ann', 'first')
  await expect(secrets.open(here, sealed)).rejects.toThrow('was destroyed')
  expect((await secrets.open(other, sealedOther)).toString()).toBe('kept')
  await secrets.destroy('ann')
  await expect(secrets.open(other, sealedOther)).rejects.toThrow('was destroyed')
  expect(await secrets.hasKeys('ann')).toBe(false)
})
