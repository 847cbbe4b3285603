import Fastify from 'fastify'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { counterLock, createMessageCounter } from './createMessageCounter.ts'
import type { Mailbox, RelayMessage } from './mailbox.ts'
import { createPostgresMailbox } from './postgresMailbox.ts'

const { log } = Fastify({ logger: false })
const limits = { messages: 1_000_000, bytes: 1e9, bytesPerPublisher: 1e9 }

let place: TestPostgres
/** One per process. */
let databases: readonly Database[]
let now: number

beforeAll(async () => {
  place = await createTestDatabase('relay')
  databases = await Promise.all([1, 2, 3].map(() => openDatabase({ databaseUrl: place.url, dataDir: '' }, log)))
})
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()))
  await place.close()
})
beforeEach(async () => {
  now = 1_800_000_000_000
  await sql`truncate relay_message, relay_acknowledgement, relay_usage`.execute(getDatabase(0).kysely)
})

const clock = { now: () => now }
const getDatabase = (index: number): Database => databases[index] ?? expect.fail('no such process')
const openMailbox = (database: Database): Mailbox => createPostgresMailbox({ database, clock, limits })

async function store(mailbox: Mailbox, id: string, ttl = 300): Promise<RelayMessage> {
  const topic = id.length.toString(16).padStart(64, '0')
  const details = { tag: 1108, attestation: '', origin: '', publisher: `dapp ${id.charCodeAt(0) % 3}` }
  const stored = await mailbox.store({ topic, message: id, ttl, ...details })
  return stored.outcome === 'stored' ? stored.message : expect.fail(stored.outcome)
}

async function readCounters(): Promise<readonly unknown[]> {
  const { rows } = await sql`
    select kind, key, messages, bytes from relay_usage where messages <> 0 or bytes <> 0 order by kind, key`.execute(
    getDatabase(0).kysely,
  )
  return rows
}

async function measure(): Promise<readonly unknown[]> {
  const { rows } = await sql`
    with undelivered as (
      select * from relay_message as message where not exists (
        select from relay_acknowledgement where sequence = message.sequence)
    )
    select 'publisher' as kind, convert_to(publisher, 'UTF8') as key, count(*) as messages, sum(bytes)::bigint as bytes
    from undelivered group by publisher
    union all
    select 'topic', topic, count(*), sum(bytes)::bigint from undelivered group by topic
    order by kind, key`.execute(getDatabase(0).kysely)
  return rows
}

test('the counters equal the undelivered messages while two processes store, acknowledge, delete and count', async () => {
  const mailboxes = [openMailbox(getDatabase(0)), openMailbox(getDatabase(1))] as const
  const counters = databases.map((database) => createMessageCounter(database))
  let unacknowledged: readonly RelayMessage[] = []
  for (let round = 0; round < 80; round += 1) {
    const own = mailboxes[round % 2] ?? mailboxes[0]
    const sent = Array.from({ length: 8 }, (_, index) =>
      store(own, `${'x'.repeat((round * 7 + index) % 11)}${round} ${index}`, index < 2 ? 1 : 300),
    )
    // Some messages are acknowledged while they are counted, the others before or after.
    const counted = round % 4 === 0 ? counters.map((counter) => counter.count()) : []
    const acknowledged = unacknowledged.flatMap((message, index) => [
      mailboxes[0].acknowledge(message, `wallet ${index % 3}`),
      mailboxes[1].acknowledge(message, `wallet ${(index + round) % 3}`),
    ])
    const deleted = round % 3 === 0 ? [own.deleteExpired()] : []
    const stored = await Promise.all(sent)
    unacknowledged = stored.filter((_, index) => index % 2 === round % 3)
    await Promise.all([...acknowledged, ...counted, ...deleted])
    now += 1_100
  }
  await Promise.all(mailboxes.map((mailbox) => mailbox.idle()))
  await counters[0]?.count()
  expect(await readCounters()).toEqual(await measure())
  expect((await measure()).length).toBeGreaterThan(5)
})

test('another process counts the messages of a process that was killed', async () => {
  const killed = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  await store(openMailbox(killed), 'before the end')
  await killed.close()
  await store(openMailbox(getDatabase(1)), 'later')
  await expect.poll(readCounters).toEqual(await measure())
})

test('a mailbox that becomes idle has counted its messages', async () => {
  const mailbox = openMailbox(getDatabase(0))
  for (const text of ['first', 'second']) {
    await store(mailbox, text)
    await mailbox.idle()
    expect(await readCounters()).toEqual(await measure())
  }
})

test('a process does not wait for another one that counts', async () => {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let begun = (): void => {}
  const locked = new Promise<void>((resolve) => (begun = resolve))
  const held = getDatabase(2)
    .kysely.transaction()
    .execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${counterLock}::bigint)`.execute(transaction)
      begun()
      await released
    })
  onTestFinished(async () => {
    release()
    await held
  })
  await locked
  await store(openMailbox(getDatabase(0)), 'first')
  await createMessageCounter(getDatabase(1)).count()
  expect(await readCounters()).toEqual([])
  release()
  await held
  await createMessageCounter(getDatabase(1)).count()
  expect(await readCounters()).toEqual(await measure())
})

test('a message that is committed after newer ones is counted', async () => {
  let commit = (): void => {}
  const committed = new Promise<void>((resolve) => (commit = resolve))
  let inserted = (): void => {}
  const insertion = new Promise<void>((resolve) => (inserted = resolve))
  const slow: Database = {
    ...getDatabase(2),
    run: (name, text, values) =>
      name === 'relay: insert messages'
        ? getDatabase(2)
            .kysely.transaction()
            .execute(async (transaction) => {
              const { rows } = await transaction.executeQuery<never>(CompiledQuery.raw(text, [...values]))
              inserted()
              await committed
              return rows
            })
        : getDatabase(2).run(name, text, values),
  }
  const stored = store(openMailbox(slow), 'older')
  await insertion
  await store(openMailbox(getDatabase(0)), 'newer')
  // It waits for the older message, and gives up after a second.
  await expect(createMessageCounter(getDatabase(1)).count()).rejects.toThrow('lock timeout')
  commit()
  await stored
  await createMessageCounter(getDatabase(1)).count()
  expect(await readCounters()).toEqual(await measure())
})
