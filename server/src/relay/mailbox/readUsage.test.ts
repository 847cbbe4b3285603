import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createMessageCounter } from './createMessageCounter.ts'
import type { Mailbox, NewRelayMessage, RelayMessage } from './mailbox.ts'
import { createPostgresMailbox } from './postgresMailbox.ts'

const { log } = Fastify({ logger: false })
const limits = { messages: 3, bytes: 100, bytesPerPublisher: 1_000 }

let place: TestPostgres
let database: Database
let now: number
let mailbox: Mailbox

beforeAll(async () => {
  place = await createTestDatabase('relay')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

beforeEach(async () => {
  await sql`truncate relay_message, relay_acknowledgement, relay_usage`.execute(database.kysely)
  now = 1_800_000_000_000
  mailbox = openMailbox(database)
})

const openMailbox = (on: Database): Mailbox =>
  createPostgresMailbox({ database: on, clock: { now: () => now }, limits })

const newMessage = (message: string, change: Partial<NewRelayMessage> = {}): NewRelayMessage => ({
  topic: 'a'.repeat(64),
  message,
  ttl: 300,
  tag: 1108,
  attestation: '',
  origin: '',
  publisher: 'dapp',
  ...change,
})

async function store(message: NewRelayMessage): Promise<RelayMessage> {
  const stored = await mailbox.store(message)
  if (stored.outcome !== 'stored') throw new Error(stored.outcome)
  return stored.message
}

/** Counts the messages of all processes until now. */
const count = (): Promise<void> => createMessageCounter(database).count()

/** The counters as texts, topics first: their kind, messages and bytes. */
async function readCounters(): Promise<readonly string[]> {
  await mailbox.idle()
  await count()
  const { rows } = await sql<{ kind: string; messages: number; bytes: number }>`
    select kind, messages, bytes from relay_usage order by kind desc, key`.execute(database.kysely)
  return rows.map(({ kind, messages, bytes }) => `${kind} ${messages} ${bytes}`)
}

async function countAcknowledgements(): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from relay_acknowledgement`.execute(
    database.kysely,
  )
  return rows[0]?.rows ?? 0
}

test('the counters follow stored, repeated, acknowledged and expired messages', async () => {
  const first = await store(newMessage('12345'))
  await store(newMessage('678', { ttl: 30 }))
  await mailbox.store(newMessage('678'))
  await store(newMessage('9', { topic: 'b'.repeat(64) }))
  expect(await readCounters()).toEqual(['topic 2 8', 'topic 1 1', 'publisher 3 9'])
  await mailbox.acknowledge(first, 'wallet')
  expect(await readCounters()).toEqual(['topic 1 3', 'topic 1 1', 'publisher 2 4'])
  now += 31_000
  expect(await mailbox.deleteExpired()).toBe(1)
  expect(await readCounters()).toEqual(['topic 1 1', 'publisher 1 1'])
  now += 300_000
  expect(await mailbox.deleteExpired()).toBe(2)
  expect(await readCounters()).toEqual([])
})

test('a message that is acknowledged before it is counted changes no counter', async () => {
  const stored = await store(newMessage('12345'))
  await mailbox.acknowledge(stored, 'wallet')
  expect(await readCounters()).toEqual([])
  await mailbox.acknowledge(stored, 'tablet')
  expect(await readCounters()).toEqual([])
})

test('a message that several clients acknowledge is subtracted once', async () => {
  const stored = await store(newMessage('12345'))
  await store(newMessage('678'))
  await count()
  const other = openMailbox(database)
  await Promise.all([
    mailbox.acknowledge(stored, 'wallet'),
    mailbox.acknowledge(stored, 'tablet'),
    mailbox.acknowledge(stored, 'wallet'),
    other.acknowledge(stored, 'desktop'),
  ])
  await mailbox.acknowledge(stored, 'wallet')
  expect(await readCounters()).toEqual(['topic 1 3', 'publisher 1 3'])
  expect(await countAcknowledgements()).toBe(3)
})

test('a process includes its own messages at once, and those of others when they are counted', async () => {
  const other = openMailbox(database)
  await store(newMessage('1'))
  await other.store(newMessage('2'))
  await store(newMessage('3'))
  await count()
  expect((await other.store(newMessage('4'))).outcome).toBe('full')
  expect((await openMailbox(database).store(newMessage('5'))).outcome).toBe('full')
})

test('a process admits no more than the limit before its messages are counted', async () => {
  const results = []
  for (const message of ['1', '2', '3', '4']) results.push((await mailbox.store(newMessage(message))).outcome)
  expect(results).toEqual(['stored', 'stored', 'stored', 'full'])
})

test('an acknowledged message leaves room before it is counted', async () => {
  const first = await store(newMessage('1'))
  for (const message of ['2', '3']) await store(newMessage(message))
  await mailbox.acknowledge(first, 'wallet')
  expect((await mailbox.store(newMessage('4'))).outcome).toBe('stored')
})

test('an acknowledgement of a deleted message is not stored', async () => {
  const stored = await store(newMessage('late', { ttl: 30 }))
  now += 31_000
  await mailbox.deleteExpired()
  await mailbox.acknowledge(stored, 'wallet')
  expect(await countAcknowledgements()).toBe(0)
  expect(await readCounters()).toEqual([])
})

test('messages are stored while the counters cannot be read [R-02]', async () => {
  const failing: Database = {
    ...database,
    run: (name, text, values) =>
      name === 'relay: read usage' ? Promise.reject(new Error('too slow')) : database.run(name, text, values),
  }
  const stored = await Promise.all(['1', '2'].map((message) => openMailbox(failing).store(newMessage(message))))
  expect(stored.map(({ outcome }) => outcome)).toEqual(['stored', 'stored'])
})

test('messages of a full topic keep their order while its expired messages are deleted', async () => {
  for (const message of ['1', '2']) await store(newMessage(message, { ttl: 30 }))
  await store(newMessage('3'))
  now += 31_000
  const stored = await Promise.all(['4', '5', '6'].map((message) => mailbox.store(newMessage(message))))
  expect(stored.map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'full'])
  const { messages } = await mailbox.listUndelivered('a'.repeat(64), 'wallet', 0)
  expect(messages.map(({ message }) => message)).toEqual(['3', '4', '5'])
})

test('the counters are not read for each message', async () => {
  let reads = 0
  const observed: Database = {
    ...database,
    run: (name, text, values) => {
      if (name === 'relay: read usage') reads += 1
      return database.run(name, text, values)
    },
  }
  const generous = { messages: 160, bytes: 100_000, bytesPerPublisher: 100_000 }
  const busy = createPostgresMailbox({ database: observed, clock: { now: () => now }, limits: generous })
  const outcomes = new Set<string>()
  for (let number = 0; number < 40; number += 1) outcomes.add((await busy.store(newMessage(`${number}`))).outcome)
  expect([...outcomes]).toEqual(['stored'])
  // One before the first message, and one each time that an eighth of the limit was added.
  expect(reads).toBe(2)
})

test('each process exceeds a limit by an eighth at most', async () => {
  const shared = { messages: 64, bytes: 100_000, bytesPerPublisher: 100_000 }
  const open = (): Mailbox => createPostgresMailbox({ database, clock: { now: () => now }, limits: shared })
  const processes = [open(), open(), open(), open()]
  let stored = 0
  for (let number = 0; number < 160; number += 1) {
    const outcome = (await processes[number % 4]?.store(newMessage(`${number}`)))?.outcome
    if (outcome === 'stored') stored += 1
    await count()
  }
  expect(stored).toBeGreaterThanOrEqual(64)
  expect(stored).toBeLessThanOrEqual(64 + 4 * 8)
})
