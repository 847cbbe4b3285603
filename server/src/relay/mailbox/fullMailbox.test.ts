import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { relayMigrations } from '../../schema/relayMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import type { Mailbox, NewRelayMessage } from './mailbox.ts'
import { createPostgresMailbox } from './postgresMailbox.ts'

const { log } = Fastify({ logger: false })
const now = 1_800_000_000_000
const fullTopic = 'f'.repeat(64)
const limits = { messages: 100, bytes: 1_000_000, bytesPerPublisher: 1_000_000 }

let place: TestPostgres
let database: Database

/**
 * A store of 400,000 messages: 200,000 of one publisher on 2,000 topics, and 200,000 on the topic of an attacker, who has
 * read all but a hundred of them with a second client.
 */
beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  const earlier = Object.entries(relayMigrations).filter(([name]) => name < '004')
  await migrate(database.kysely, Object.fromEntries(earlier), 'relay')
  await insertMessages('full', `decode('${fullTopic}', 'hex')`)
  await insertMessages('filler', `decode(lpad(to_hex(row / 100), 64, '0'), 'hex')`)
  await sql`
    insert into relay_acknowledgement (sequence, receiver)
    select sequence, 1 from relay_message where publisher = 'full' order by sequence offset 100`.execute(
    database.kysely,
  )
  await migrate(database.kysely, relayMigrations, 'relay')
  await sql`vacuum analyze`.execute(database.kysely)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

async function insertMessages(publisher: string, topic: string): Promise<void> {
  await sql`
    insert into relay_message (topic, digest, message, tag, attestation, publisher, published_at, expires_at)
    select ${sql.raw(topic)}, sha256(convert_to(${publisher} || row, 'UTF8')), repeat('x', 100), 1108, '', ${publisher}, ${now}::bigint,
      ${now}::bigint + 86400000
    from generate_series(1, 200000) as row`.execute(database.kysely)
}

const newMessage = (message: string, change: Partial<NewRelayMessage> = {}): NewRelayMessage => ({
  topic: fullTopic,
  message,
  ttl: 300,
  tag: 1108,
  attestation: '',
  origin: '',
  publisher: 'attacker',
  ...change,
})

async function countReads(): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint as reads from pg_stat_user_tables
    where relname like 'relay_%'`.execute(database.kysely)
  return rows[0]?.reads ?? 0
}

/** Counts the rows of all tables that PostgreSQL reads for the operations of a mailbox. */
async function measureReads(operate: (mailbox: Mailbox) => Promise<void>): Promise<number> {
  const before = await countReads()
  const own = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  const mailbox = createPostgresMailbox({ database: own, clock: { now: () => now }, limits })
  await operate(mailbox)
  await mailbox.idle()
  // A connection reports what it has read when it ends.
  await own.close()
  await expect.poll(countReads).toBeGreaterThanOrEqual(before)
  return (await countReads()) - before
}

test('ten refusals by a full topic read no messages, no matter how many it has [R-17]', { tags: 'abuse' }, async () => {
  const reads = await measureReads(async (mailbox) => {
    for (let round = 0; round < 10; round += 1) {
      expect((await mailbox.store(newMessage(`attack ${round}`))).outcome).toBe('full')
    }
  })
  expect(reads).toBeLessThan(100)
})

test('a refusal of a publisher that has reached its limit reads no messages [R-17]', { tags: 'abuse' }, async () => {
  const reads = await measureReads(async (mailbox) => {
    const message = newMessage('more', { topic: 'e'.repeat(64), publisher: 'filler' })
    expect((await mailbox.store(message)).outcome).toBe('full')
  })
  expect(reads).toBeLessThan(100)
})

test('reading a topic reads its own messages only, and the first page only [R-17]', { tags: 'abuse' }, async () => {
  const topics = await measureReads(async (mailbox) => {
    expect((await mailbox.listUndelivered('7'.padStart(64, '0'), 'wallet', 0)).messages).toHaveLength(100)
  })
  expect(topics).toBeLessThan(500)
})

test('a hundred topics that are requested at once read their first pages only', { tags: 'abuse' }, async () => {
  const reads = await measureReads(async (mailbox) => {
    const topics = Array.from({ length: 100 }, (_, index) => (index + 1).toString(16).padStart(64, '0'))
    const pages = await Promise.all(topics.map((topic) => mailbox.listUndelivered(topic, 'wallet', 0)))
    expect(pages.map(({ messages }) => messages.length)).toEqual(topics.map(() => 100))
  })
  expect(reads).toBeLessThan(15_000)
})
