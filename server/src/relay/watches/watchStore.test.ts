import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { relayMigrations } from '../../schema/relayMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createWatchStore } from './watchStore.ts'

let place: TestPostgres
let database: Database

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, relayMigrations, 'relay')
})
afterAll(async () => {
  await database.close()
  await place.close()
})

test('a watched client that subscribes to new topics without end is remembered for 5,000 of them', async () => {
  const store = createWatchStore(database.kysely, { now: () => 0 })
  for (let batch = 0; batch < 12; batch += 1) {
    const topics = Array.from({ length: 500 }, () => randomBytes(32).toString('hex'))
    await store.addSubscriptions(topics.map((topic) => ({ client: 'attacker', topic })))
  }
  await store.addSubscriptions([{ client: 'other', topic: 'ab'.repeat(32) }])
  const { rows } = await sql<{ client: string; count: number }>`
    select client, count(*)::integer as count from relay_watch_topic group by client order by client`.execute(
    database.kysely,
  )
  expect(rows).toEqual([
    { client: 'attacker', count: 5_000 },
    { client: 'other', count: 1 },
  ])
})

test('the topics of a client are counted by an index', async () => {
  await sql`set enable_seqscan = off`.execute(database.kysely)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select count(*) from relay_watch_topic where client = 'attacker'`.execute(database.kysely)
  expect(rows.map((row) => row['QUERY PLAN']).join(' ')).toContain('relay_watch_topic_by_client')
})
