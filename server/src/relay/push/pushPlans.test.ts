import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import type { RelayMessage } from '../mailbox/mailbox.ts'
import { createPushQueue, type PushQueue } from './pushQueue.ts'
import { createPushStore, type PushStore, type PushSubscription } from './pushStore.ts'

const now = 1_800_000_000_000
const rows = 60_000
const ofGroup = 500
const topic = 'ab'.repeat(32)

let place: TestPostgres
let database: Database
/** One connection, which reports its statistics at once. */
let single: Database
let store: PushStore
let queue: PushQueue

/** Many registrations, each with two topics and a due notification. */
beforeAll(async () => {
  place = await createTestDatabase('relay')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  single = await database.openPool(1)
  await sql`
    insert into relay_push_client (client, service, token, is_raw, source, expires_at)
    select 'client ' || row, 'fcm', 'token', true, sha256(int4send(row)), ${now + 1_000 * 86_400_000}::bigint
    from generate_series(1, ${rows}::int) as row`.execute(database.kysely)
  await sql`
    insert into relay_push_topic (topic, client_id, subscribed_at)
    select sha256(int4send(id::int * kind)), id, ${now}::bigint from relay_push_client, generate_series(1, 2) as kind
  `.execute(database.kysely)
  await sql`
    insert into relay_push_notification (client_id, topic, sequence, tag, message, expires_at, next_at)
    select id, sha256(int4send(id::int)), id, 1108, 'sealed', ${now + 60_000}::bigint, ${now}::bigint - id
    from relay_push_client`.execute(database.kysely)
  await sql`vacuum analyze relay_push_client, relay_push_topic, relay_push_notification`.execute(database.kysely)
  const limits = { perSource: 1_000, total: 2_000_000, topicsPerClient: 1_000 }
  store = createPushStore(single.kysely, { now: () => now }, limits)
  queue = createPushQueue(single.kysely, { now: () => now })
})
afterAll(async () => {
  await single.close()
  await database.close()
  await place.close()
})

/** Counts how often each table was read from beginning to end. */
async function countFullReads(): Promise<object> {
  await sql`select pg_stat_force_next_flush()`.execute(single.kysely)
  const { rows: tables } = await sql<{ name: string; reads: number }>`
    select relname as name, seq_scan as reads from pg_stat_user_tables
    where relname like 'relay_push_%' and relname <> 'relay_push_key'`.execute(single.kysely)
  return Object.fromEntries(tables.map(({ name, reads }) => [name, reads]))
}

function subscriptionsOf(name: string): readonly PushSubscription[] {
  return Array.from({ length: ofGroup }, (_, index) => ({ client: `${name} ${index + 1}`, topic }))
}

function messagesOf(sequence: number): readonly RelayMessage[] {
  const facts = { topic, message: 'sealed', tag: 1108, ttl: 300, publisher: 'another', publishedAt: now }
  const more = { attestation: '', origin: '', prompt: true, expiresAt: now + 60_000 }
  return Array.from({ length: ofGroup }, (_, index) => ({ ...facts, ...more, sequence: sequence + index }))
}

test.each<[string, () => Promise<unknown>]>([
  ['subscriptions of clients that are not registered', () => store.addSubscriptions(subscriptionsOf('unregistered'))],
  ['subscriptions of registered clients', () => store.addSubscriptions(subscriptionsOf('client'))],
  ['messages for many clients', () => queue.add(messagesOf(1_000_000).slice(0, 5))],
  ['ended subscriptions', () => store.removeSubscriptions(subscriptionsOf('client'))],
  ['ended subscriptions of unregistered clients', () => store.removeSubscriptions(subscriptionsOf('unregistered'))],
  ['messages without a subscriber', () => queue.add(messagesOf(2_000_000))],
  ['due notifications', () => queue.claim()],
  [
    'a registration',
    () => store.add({ client: 'new', service: 'fcm', token: 'token', isRaw: true, source: Buffer.of(1) }),
  ],
  ['a removed registration', () => store.remove('client 7')],
  ['expired notifications', () => queue.deleteExpired()],
  ['expired registrations', () => store.deleteExpired()],
])('%s read no table from beginning to end', async (_what, run) => {
  const before = await countFullReads()
  await run()
  expect(await countFullReads()).toEqual(before)
})
