import { sql } from 'kysely'
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
 * that no message gets a sequence behind it.
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
  select sequence, topic, digest from inserted`

/** Creates the access to the table of messages. */
export function createMessageTable({ database, clock }: { database: Database; clock: Clock }): MessageTable {
  return {
    async insert(messages) {
      if (messages.length === 0) return new Map()
      const now = clock.now()
      const rows = await database.run<{ sequence: number; topic: Buffer; digest: Buffer }>(
        'relay: insert messages',
        insertStatement,
        toColumns(messages, now),
      )
      const sequences = new Map(rows.map(({ topic, digest, sequence }) => [messageKey(topic, digest), sequence]))
      return new Map(
        messages.flatMap((message): Array<[string, RelayMessage]> => {
          const sequence = sequences.get(message.key)
          return sequence === undefined ? [] : [[message.key, toRelayMessage(message, sequence, now)]]
        }),
      )
    },
    findDuplicates: (messages) => findDuplicates(database, messages, clock.now()),
  }
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
    [messages.map(({ topicBytes }) => topicBytes), messages.map(({ digest }) => digest)],
  )
  const expired = rows.filter((row) => row.expires_at <= now).map(({ sequence }) => sequence)
  if (expired.length > 0) {
    await deleteMessages(
      kysely,
      sql`select sequence from relay_message where sequence = any(${expired}::bigint[]) order by sequence for update`,
    )
  }
  return new Set(rows.filter((row) => row.expires_at > now).map(({ topic, digest }) => messageKey(topic, digest)))
}

/** The parameters of the insert statement. */
function toColumns(messages: readonly HashedMessage[], now: number): readonly unknown[] {
  return [
    messages.map(({ topicBytes }) => topicBytes),
    messages.map(({ digest }) => digest),
    messages.map(({ message }) => message),
    messages.map(({ tag }) => tag),
    messages.map(({ attestation }) => attestation),
    messages.map(({ origin }) => origin),
    messages.map(({ publisher }) => publisher),
    now,
    messages.map(({ ttl }) => now + ttl * 1000),
  ]
}

function toRelayMessage(hashed: HashedMessage, sequence: number, now: number): RelayMessage {
  const { topic, message, tag, attestation, origin, publisher, ttl } = hashed
  const times = { publishedAt: now, expiresAt: now + ttl * 1000 }
  return { sequence, topic, message, tag, attestation, origin, publisher, ...times }
}
