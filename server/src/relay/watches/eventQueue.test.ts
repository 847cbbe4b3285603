import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { relayMigrations } from '../../schema/relayMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createEventQueue, eventLimits, type EventQueue } from './eventQueue.ts'
import { createWatchStore } from './watchStore.ts'

const now = 1_800_000_000_000
const clock = { now: () => now }
const mebibyte = 1024 * 1024

let place: TestPostgres
let database: Database
let queue: EventQueue

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, relayMigrations, 'relay')
})
afterAll(async () => {
  await database.close()
  await place.close()
})
beforeEach(async () => {
  await sql`truncate relay_watch_event, relay_watch_topic, relay_watch, relay_message`.execute(database.kysely)
  queue = createEventQueue(database.kysely, clock)
})

/** Registers webhooks that are notified of each message that a client publishes. */
async function watchPublisher(client: string, webhooks: number): Promise<void> {
  const store = createWatchStore(database.kysely, clock)
  for (let index = 0; index < webhooks; index += 1) {
    const webhook = `https://hooks.example.org/${index}`
    const watch = { client, service: 'did:key:service', webhook, kind: 'publisher', tags: [1108] } as const
    await store.add({ ...watch, statuses: ['accepted'], expiresAt: now + 86_400_000 })
  }
}

/** Stores messages of a publisher. @returns their sequences */
async function storeMessages(publisher: string, count: number, bytes: number): Promise<readonly number[]> {
  const { rows } = await sql<{ sequence: number }>`
    insert into relay_message (topic, digest, message, tag, attestation, publisher, published_at, expires_at)
    select sha256('topic'), sha256(convert_to(${publisher} || row, 'UTF8')), repeat('x', ${bytes}::integer), 1108, '', ${publisher},
      ${now}::bigint, ${now}::bigint + 300000
    from generate_series(1, ${count}::integer) as row returning sequence`.execute(database.kysely)
  return rows.map(({ sequence }) => sequence)
}

async function storedEvents(): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*)::integer as count, coalesce(sum(octet_length(message)), 0)::float8 as bytes from relay_watch_event`.execute(
    database.kysely,
  )
  return rows[0] ?? { count: 0, bytes: 0 }
}

test('the messages for the webhooks of one client take at most 8 MiB, however many webhooks it has', async () => {
  await watchPublisher('attacker', 64)
  await watchPublisher('other', 1)
  const sequences = await storeMessages('attacker', 20, 262_144)
  await queue.addAccepted(sequences.slice(0, 10))
  await queue.addAccepted([...sequences.slice(10), ...(await storeMessages('other', 1, 100))])
  const { bytes } = await storedEvents()
  expect(bytes).toBeGreaterThan(7 * mebibyte)
  expect(bytes).toBeLessThanOrEqual(8 * mebibyte + 100)
  const { rows } = await sql`select from relay_watch_event where client = 'other'`.execute(database.kysely)
  expect(rows).toHaveLength(1)
})

test('a webhook has at most 10,000 waiting events, also of messages that are stored together', async () => {
  await watchPublisher('attacker', 1)
  const sequences = await storeMessages('attacker', 12_000, 10)
  for (let start = 0; start < sequences.length; start += 4_000) {
    await queue.addAccepted(sequences.slice(start, start + 4_000))
  }
  expect((await storedEvents()).count).toBe(10_000)
})

test('the messages for all webhooks together are limited', async () => {
  await watchPublisher('one', 3)
  await watchPublisher('other', 3)
  const sequences = [...(await storeMessages('one', 1, 100)), ...(await storeMessages('other', 1, 100))]
  await createEventQueue(database.kysely, clock, { ...eventLimits, bytes: 450 }).addAccepted(sequences)
  expect(await storedEvents()).toEqual({ count: 4, bytes: 400 })
  // Another process measures what is there.
  await createEventQueue(database.kysely, clock, { ...eventLimits, bytes: 450 }).addAccepted(sequences)
  expect(await storedEvents()).toEqual({ count: 4, bytes: 400 })
})
