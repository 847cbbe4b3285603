import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { indexerMigrations } from '../../schema/indexerMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createTestBlock } from '../../testing/history/describeHistoryStore.ts'
import { createIndexStore } from '../indexStore.ts'
import { claimHistoryPlace } from './claimHistoryPlace.ts'
import { createPostgresHistory } from './createPostgresHistory.ts'

const { log } = Fastify({ logger: false })
let place: TestPostgres
let database: Database

beforeEach(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  await migrate(database.kysely, indexerMigrations, 'indexer')
})
afterEach(async () => {
  await database.close()
  await place.close()
})

async function indexOneBlock(): Promise<void> {
  const position = await createIndexStore(database).open('eip155:1', 0)
  await createPostgresHistory(database).add(position, [createTestBlock(0, [{}])], { target: 0 })
}

test('an index with histories in PostgreSQL does not start with ClickHouse', async () => {
  await claimHistoryPlace(database, 'PostgreSQL')
  await indexOneBlock()
  await expect(claimHistoryPlace(database, 'ClickHouse')).rejects.toThrow('Use an empty database')
  await expect(claimHistoryPlace(database, 'PostgreSQL')).resolves.toBeUndefined()
})

test('an index with histories in ClickHouse does not start without it', async () => {
  await claimHistoryPlace(database, 'ClickHouse')
  await indexOneBlock()
  await expect(claimHistoryPlace(database, 'PostgreSQL')).rejects.toThrow('Set HISTORY_URL')
  await expect(claimHistoryPlace(database, 'ClickHouse')).resolves.toBeUndefined()
})
