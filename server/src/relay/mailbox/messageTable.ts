import { sql } from 'kysely'
import {
  createBigintColumn,
  createEncodedByteaColumn,
  createTextColumn,
  type ArrayColumn,
} from '../../kit/database/arrayColumn.ts'
import type { Database } from '../../kit/database/database.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { usageMarkLock } from '../../schema/createUsageMark.ts'
import { deleteMessages } from './deleteMessages.ts'
import type { RelayMessage } from './mailbox.ts'
import { messageKey, type HashedMessage } from './messageKey.ts'

/** The writes to the table of messages. */
export type MessageTable = {
  /** Inserts messages in their order. @returns those that did not exist, by key */
  insert(messages: readonly HashedMessage[]): Promise<ReadonlyMap<string, RelayMessage>>
  /** Finds the keys of messages that are stored already, and deletes expired ones. */
  findDuplicates(messages: readonly HashedMessage[]): Promise<ReadonlySet<string>>
}

/**
 * Prepared once per connection, because it runs for each group of messages. The mark of the counters can't move while it runs, so
 * that no message gets a sequence behind it. Usually all messages are new, and one row with their sequences in the order of the
 * messages is the result: a row per message with its key would take the driver longer than all other work of a group.
 */
const insertStatement = `
  with held as materialized (
    select pg_advisory_xact_lock_shared(${usageMarkLock})
  ), inserted as (
    insert into relay_message (topic, digest, message, tag, attestation, origin, publisher, published_at, expires_at)
    select topic, digest, message, tag, attestation, origin, publisher, $8, expires_at
    from held
      cross join unnest($1::bytea[], $2::bytea[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $9::bigint[])
      with ordinality as new_message (topic, digest, message, tag, attestation, origin, publisher, expires_at, place)
    order by place
    on conflict (topic, digest) do nothing
    returning sequence, topic, digest
  )
  select string_agg(sequence::text, ',' order by sequence) as sequences,
    case when count(*) < cardinality($1::bytea[]) then array_agg(topic order by sequence) end as topics,
    case when count(*) < cardinality($1::bytea[]) then array_agg(digest order by sequence) end as digests
  from inserted`

/** The sequences of the stored messages, and their keys unless all were stored. */
type InsertedRow = { sequences: string | null; topics: readonly Buffer[] | null; digests: readonly Buffer[] | null }

/** Creates the access to the table of messages. */
export function createMessageTable({ database, clock }: { database: Database; clock: Clock }): MessageTable {
  return {
    async insert(messages) {
      if (messages.length === 0) return new Map()
      const now = clock.now()
      const columns = toColumns(messages, now)
      const [row] = await database.run<InsertedRow>('relay: insert messages', insertStatement, columns)
      return row === undefined ? new Map() : readInserted(row, messages, now)
    },
    findDuplicates: (messages) => findDuplicates(database, messages, clock.now()),
  }
}

function readInserted(
  { sequences, topics, digests }: InsertedRow,
  messages: readonly HashedMessage[],
  now: number,
): ReadonlyMap<string, RelayMessage> {
  const inserted = topics === null || digests === null ? messages : selectInserted(topics, digests, messages)
  return new Map(
    (sequences?.split(',') ?? []).flatMap((sequence, index): Array<[string, RelayMessage]> => {
      const message = inserted[index]
      return message === undefined ? [] : [[message.key, toRelayMessage(message, Number(sequence), now)]]
    }),
  )
}

/** Selects the messages that were inserted, in the order of their sequences. */
function selectInserted(
  topics: readonly Buffer[],
  digests: readonly Buffer[],
  messages: readonly HashedMessage[],
): readonly HashedMessage[] {
  const byKey = new Map(messages.map((message) => [message.key, message]))
  return digests.flatMap((digest, index) => {
    const topic = topics[index]
    return topic === undefined ? [] : (byKey.get(rowKey(topic, digest)) ?? [])
  })
}

function rowKey(topic: Buffer, digest: Buffer): string {
  return messageKey(topic.toString('hex'), digest.toString('latin1'))
}

const findDuplicatesStatement = `
  select sequence, topic, digest, expires_at
  from unnest($1::bytea[], $2::bytea[]) as requested (topic, digest) join relay_message using (topic, digest)`

async function findDuplicates(
  { kysely, run }: Database,
  messages: readonly HashedMessage[],
  now: number,
): Promise<ReadonlySet<string>> {
  if (messages.length === 0) return new Set()
  const rows = await run<{ sequence: number; topic: Buffer; digest: Buffer; expires_at: number }>(
    'relay: find duplicates',
    findDuplicatesStatement,
    [encodeTopics(messages), encodeDigests(messages)],
  )
  const expired = rows.filter((row) => row.expires_at <= now).map(({ sequence }) => sequence)
  if (expired.length > 0) {
    await deleteMessages(
      kysely,
      sql`select sequence from relay_message where sequence = any(${expired}::bigint[]) order by sequence for update`,
    )
  }
  return new Set(rows.filter((row) => row.expires_at > now).map(({ topic, digest }) => rowKey(topic, digest)))
}

/** The parameters of the insert statement. */
function toColumns(messages: readonly HashedMessage[], now: number): readonly unknown[] {
  return [
    encodeTopics(messages),
    encodeDigests(messages),
    encode(createTextColumn(), messages, ({ message }) => message),
    encode(createBigintColumn(), messages, ({ tag }) => tag),
    encode(createTextColumn(), messages, ({ attestation }) => attestation),
    encode(createTextColumn(), messages, ({ origin }) => origin),
    encode(createTextColumn(), messages, ({ publisher }) => publisher),
    now,
    encode(createBigintColumn(), messages, ({ ttl }) => now + ttl * 1000),
  ]
}

function encodeTopics(messages: readonly HashedMessage[]): Buffer {
  return encode(createEncodedByteaColumn('hex'), messages, ({ topic }) => topic)
}

function encodeDigests(messages: readonly HashedMessage[]): Buffer {
  return encode(createEncodedByteaColumn('latin1'), messages, ({ digest }) => digest)
}

function encode<value>(
  column: ArrayColumn<value>,
  messages: readonly HashedMessage[],
  read: (message: HashedMessage) => value,
): Buffer {
  for (const message of messages) column.add(read(message))
  return column.encode()
}

function toRelayMessage(hashed: HashedMessage, sequence: number, now: number): RelayMessage {
  const { topic, message, tag, attestation, origin, publisher, ttl } = hashed
  const expiresAt = now + ttl * 1000
  return { sequence, topic, message, tag, attestation, origin, publisher, publishedAt: now, expiresAt }
}
