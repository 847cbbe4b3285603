import { sql } from 'kysely'
import type { Database } from '../../kit/database/database.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Usage } from '../limits/storageQuota.ts'
import type { RelayMessage } from './mailbox.ts'
import { messageKey, type HashedMessage } from './messageKey.ts'

/** The writes to the table of messages, and the sums over it. */
export type MessageTable = {
  /** Inserts messages in their order. @returns those that did not exist, by key */
  insert(messages: readonly HashedMessage[]): Promise<ReadonlyMap<string, RelayMessage>>
  /** Finds the keys of messages that are stored already, and deletes expired ones. */
  findDuplicates(messages: readonly HashedMessage[]): Promise<ReadonlySet<string>>
  /** Measures the undelivered messages of topics. */
  measureTopics(topics: readonly string[]): Promise<ReadonlyMap<string, Usage>>
  /** Measures the undelivered messages of publishers. */
  measurePublishers(publishers: readonly string[]): Promise<ReadonlyMap<string, Usage>>
}

/** Prepared once per connection, because it runs for each group of messages. */
const insertStatement = `
  insert into relay_message (topic, digest, message, tag, attestation, origin, publisher, published_at, expires_at)
  select topic, digest, message, tag, attestation, origin, publisher, $8, expires_at
  from unnest($1::bytea[], $2::bytea[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $9::bigint[])
    with ordinality as new_message (topic, digest, message, tag, attestation, origin, publisher, expires_at, place)
  order by place
  on conflict (topic, digest) do nothing
  returning sequence, topic, digest`

/** Creates the access to the table of messages. */
export function createMessageTable({ database, clock }: { database: Database; clock: Clock }): MessageTable {
  const { kysely } = database

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
    async findDuplicates(messages) {
      if (messages.length === 0) return new Set()
      const now = clock.now()
      const topics = messages.map(({ topicBytes }) => topicBytes)
      const digests = messages.map(({ digest }) => digest)
      const { rows } = await sql<{ topic: Buffer; digest: Buffer }>`
        with requested as (
          select * from unnest(${topics}::bytea[], ${digests}::bytea[]) as requested (topic, digest)
        ), expired as (
          delete from relay_message using requested
          where relay_message.topic = requested.topic and relay_message.digest = requested.digest
            and expires_at <= ${now}
          returning sequence
        ), expired_acknowledgements as (
          delete from relay_acknowledgement using expired where relay_acknowledgement.sequence = expired.sequence
        )
        select topic, digest from relay_message join requested using (topic, digest)
        where expires_at > ${now}`.execute(kysely)
      return new Set(rows.map(({ topic, digest }) => messageKey(topic, digest)))
    },
    async measureTopics(topics) {
      const topicBytes = topics.map((topic) => Buffer.from(topic, 'hex'))
      const { rows } = await sql<Usage & { topic: Buffer }>`
        select topic, count(*) as messages, sum(octet_length(message))::bigint as bytes from relay_message
        where topic = any(${topicBytes}::bytea[]) and expires_at > ${clock.now()} and not exists (
          select from relay_acknowledgement where relay_acknowledgement.sequence = relay_message.sequence
        ) group by topic`.execute(kysely)
      return new Map(rows.map(({ topic, messages, bytes }) => [topic.toString('hex'), { messages, bytes }]))
    },
    async measurePublishers(publishers) {
      const { rows } = await sql<Usage & { publisher: string }>`
        select publisher, count(*) as messages, sum(octet_length(message))::bigint as bytes from relay_message
        where publisher = any(${publishers}::text[]) and expires_at > ${clock.now()} and not exists (
          select from relay_acknowledgement where relay_acknowledgement.sequence = relay_message.sequence
        ) group by publisher`.execute(kysely)
      return new Map(rows.map(({ publisher, messages, bytes }) => [publisher, { messages, bytes }]))
    },
  }
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
