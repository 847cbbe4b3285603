import Fastify from 'fastify'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { describeMailbox, type MailboxStore } from '../../testing/describeMailbox.ts'
import { relayMigrations } from '../../schema/relayMigrations.ts'
import { createPostgresMailbox } from './postgresMailbox.ts'

async function openStore(): Promise<MailboxStore & { rows(table: string): Promise<number> }> {
  const place = await createTestDatabase()
  const database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, relayMigrations, 'relay')
  return {
    open: (options) => createPostgresMailbox({ database, ...options }),
    async rows(table) {
      const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(
        database.kysely,
      )
      return rows[0]?.rows ?? 0
    },
    async close() {
      await database.close()
      await place.close()
    },
  }
}

describeMailbox('in PostgreSQL', openStore)

test('sweeping a message deletes its acknowledgements', async () => {
  const store = await openStore()
  let now = 1_800_000_000_000
  const mailbox = store.open({
    clock: { now: () => now },
    limits: { messages: 10, bytes: 1_000, bytesPerPublisher: 1_000 },
  })
  const published = {
    topic: 'a'.repeat(64),
    message: 'm',
    ttl: 30,
    tag: 0,
    attestation: '',
    origin: '',
    publisher: 'p',
  }
  const stored = await mailbox.store(published)
  if (stored.outcome === 'stored') await mailbox.acknowledge(stored.message, 'wallet')
  expect(await store.rows('relay_acknowledgement')).toBe(1)
  now += 30_000
  expect(await mailbox.deleteExpired()).toBe(1)
  expect(await store.rows('relay_acknowledgement')).toBe(0)
  await store.close()
})
