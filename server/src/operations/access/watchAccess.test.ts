import Fastify from 'fastify'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createAccess } from '../../kit/http/access.ts'
import { createTestDatabase } from '../../testing/index.ts'
import { storeBan } from './readAccess.ts'
import { watchAccess } from './watchAccess.ts'

const { log } = Fastify({ logger: false })
const clientId = `did:key:z6Mk${'a'.repeat(44)}`
const patient = { timeout: 60_000, interval: 20 }

async function openWatched(pollMs: number, change: (database: Database) => Database = (same) => same) {
  const place = await createTestDatabase()
  const database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  const access = createAccess({ projects: 'any' })
  const stop = await watchAccess({ database: change(database), access, log, pollMs })
  onTestFinished(async () => {
    await stop()
    await database.close()
    await place.close()
  })
  return { database, access }
}

test('a change arrives by notification, without a poll', async () => {
  const { database, access } = await openWatched(3_600_000)
  await storeBan(database.kysely, clientId)
  await expect.poll(() => access.isClientBanned(clientId), patient).toBe(true)
})

test('a change arrives by poll where notifications do not, as behind a pooler', async () => {
  const { database, access } = await openWatched(50, (real) => ({ ...real, listen: () => ({ close: async () => {} }) }))
  await storeBan(database.kysely, clientId)
  await expect.poll(() => access.isClientBanned(clientId), patient).toBe(true)
})

test('a change is seen after the connection that listens was broken', { tags: 'faults' }, async () => {
  const { database, access } = await openWatched(3_600_000)
  const breakListener = sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'listen%' and datname = current_database()`
  await expect.poll(async () => (await breakListener.execute(database.kysely)).rows.length, patient).toBe(1)
  await storeBan(database.kysely, clientId)
  await expect.poll(() => access.isClientBanned(clientId), patient).toBe(true)
})
