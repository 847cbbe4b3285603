import { randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createKeyEncryption } from '../../kit/secrets/keyEncryption.ts'
import { createSecrets, type Secrets } from '../../kit/secrets/secrets.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createShareDeletions, type ShareDeletions } from './shareDeletions.ts'

const wait = 3 * 86_400_000

let place: TestPostgres
let database: Database
let secrets: Secrets
let deletions: ShareDeletions
let tables: readonly string[]
let now = 0
let events: string[] = []

beforeAll(async () => {
  place = await createTestDatabase('shares')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  const keyEncryption = createKeyEncryption([{ id: 'one', key: randomBytes(32) }])
  secrets = createSecrets({ database: database.kysely, table: 'share_data_key', keyEncryption })
  deletions = createShareDeletions({
    database: database.kysely,
    clock: { now: () => now },
    secrets,
    auditLog: { record: async (event, { user }) => void events.push(`${event} ${user}`) },
  })
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where column_name = 'user_id' and table_name <> 'share_audit' order by table_name`.execute(database.kysely)
  tables = rows.map(({ name }) => name)
})
beforeEach(async () => {
  ;[now, events] = [Date.UTC(2026, 10, 30), []]
  for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(database.kysely)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

const samples: Readonly<Record<string, () => unknown>> = {
  uuid: () => randomUUID(),
  bytea: () => randomBytes(8),
  text: () => '{}',
  boolean: () => true,
}

/** Stores a row of a user in a table, whatever its columns are. */
async function insertRow(table: string, user: string): Promise<void> {
  const { rows } = await sql<{ name: string; type: string }>`
    select column_name as name, data_type as type from information_schema.columns
    where table_name = ${table} and is_nullable = 'NO' and column_default is null and column_name <> 'user_id'`.execute(
    database.kysely,
  )
  const names = ['user_id', ...rows.map(({ name }) => name)].map((name) => sql.ref(name))
  const values = [user, ...rows.map(({ type }) => samples[type]?.() ?? 1)].map((value) => sql`${value}`)
  await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)})`.execute(database.kysely)
}
async function countRows(user: string): Promise<Record<string, number>> {
  const counts: [string, number][] = []
  for (const table of tables) {
    const { rows } = await sql`select from ${sql.table(table)} where user_id = ${user}`.execute(database.kysely)
    if (rows.length > 0) counts.push([table, rows.length])
  }
  return Object.fromEntries(counts)
}

test('a deletion waits for three days, and a repeated request does not move it', async () => {
  expect(await deletions.schedule('ann')).toBe(now + wait)
  now += 1_000
  expect(await deletions.schedule('ann')).toBe(now - 1_000 + wait)
  expect(events).toEqual(['deletion requested ann', 'deletion requested ann'])
  now += wait - 1_001
  await deletions.sweep()
  expect(await countRows('ann')).toEqual({ share_deletion: 1 })
})

test('a deletion is cancelled until it is due, and for its user only', async () => {
  await deletions.schedule('ann')
  await deletions.schedule('ben')
  await deletions.cancel('ann')
  expect([await countRows('ann'), await countRows('ben')]).toEqual([{}, { share_deletion: 1 }])
  now += wait
  await deletions.cancel('ben')
  expect(await countRows('ben')).toEqual({ share_deletion: 1 })
  expect(events.slice(2)).toEqual(['deletion cancelled ann', 'deletion cancelled ben'])
})

test('a deletion that is due removes the keys and every row of its user, and of no other [K-13]', async () => {
  const location = (user: string) => ({ table: 'share_set', row: user, owner: user })
  const [anns, bens] = [
    await secrets.seal(location('ann'), Buffer.of(1)),
    await secrets.seal(location('ben'), Buffer.of(2)),
  ]
  for (const user of ['ann', 'ben']) {
    for (const table of tables) if (table !== 'share_deletion') await insertRow(table, user)
    await deletions.schedule(user)
    now += 1
  }
  events = []
  now += wait - 2
  await deletions.sweep()
  expect(await countRows('ann')).toEqual({})
  expect(Object.keys(await countRows('ben'))).toEqual(tables)
  expect(events).toEqual(['deleted ann'])
  await expect(secrets.open(location('ann'), anns)).rejects.toThrow('destroyed')
  expect(await secrets.open(location('ben'), bens)).toEqual(Buffer.of(2))
})
