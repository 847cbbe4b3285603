import { sql, type RawBuilder } from 'kysely'
import { createBatch } from '../../kit/runtime/batch.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Database } from '../../kit/database/database.ts'
import { createAcknowledgements, hashReceiver } from './acknowledgements.ts'
import type { Mailbox, MessagePage, RelayMessage, StoreResult } from './mailbox.ts'
import { hashMessage, type HashedMessage } from './messageKey.ts'
import { createMessageStore, type MailboxLimits } from './messageStore.ts'

export type PostgresMailboxOptions = {
  database: Database
  clock: Clock
  limits: MailboxLimits
  /** The bridge's client. It publishes for many clients, and its acknowledgement does not mean that a subscriber has a message. */
  bridgeClientId?: string | undefined
}

const groups = { group: 500, queue: 20_000, gather: 5 } as const
/** Limits of one page. The first message of a page always fits. */
const page = { messages: 100, bytes: 1024 * 1024 } as const
/** A message counts as unacknowledged after this time. */
const acknowledgementTimeoutMs = 2_000

/**
 * Creates the mailbox in PostgreSQL. The messages of one turn of the event loop are stored with one statement and one
 * commit; the next group is gathered meanwhile.
 */
export function createPostgresMailbox(options: PostgresMailboxOptions): Mailbox {
  const { database, clock, bridgeClientId = '' } = options
  const { kysely } = database
  const messages = createBatch<HashedMessage, StoreResult>(createMessageStore(options), groups)
  const acknowledgements = createAcknowledgements({ database })
  const reads = createUndeliveredReads(options)

  return {
    store: (message) => messages.add(hashMessage(message)),
    async listUndelivered(topic, client, after) {
      await acknowledgements.flushed()
      return reads.readPage(sql`topic = ${Buffer.from(topic, 'hex')}`, client, after)
    },
    async listAllUndelivered(client, after) {
      await acknowledgements.flushed()
      return reads.readPage(sql`true`, client, after)
    },
    async filterTopicsWithUndelivered(topics, client) {
      await acknowledgements.flushed()
      return reads.filterTopics(topics, client)
    },
    async findUnacknowledgedTopics(after) {
      if (after === undefined) {
        const { rows } = await sql<{ last: number }>`
          select coalesce(max(sequence), 0) as last from relay_message`.execute(kysely)
        return { topics: [], last: rows[0]?.last ?? 0 }
      }
      const { rows } = await sql<{ topics: readonly Buffer[] | null; last: number | null }>`
        select max(sequence) as last, array_agg(distinct topic) filter (where not exists (
          select from relay_acknowledgement
          where relay_acknowledgement.sequence = relay_message.sequence
            and receiver <> ${hashReceiver(bridgeClientId)}::bigint
        )) as topics
        from relay_message
        where sequence > ${after} and published_at <= ${clock.now() - acknowledgementTimeoutMs}`.execute(kysely)
      return { topics: (rows[0]?.topics ?? []).map((topic) => topic.toString('hex')), last: rows[0]?.last ?? after }
    },
    acknowledge: (sequence, client) => acknowledgements.add(sequence, client),
    async deleteExpired() {
      const { rows } = await sql<{ messages: number }>`
        with expired as (
          delete from relay_message where expires_at <= ${clock.now()} returning sequence
        ), expired_acknowledgements as (
          delete from relay_acknowledgement using expired where relay_acknowledgement.sequence = expired.sequence
        )
        select count(*) as messages from expired`.execute(kysely)
      return rows[0]?.messages ?? 0
    },
    async idle() {
      await messages.idle()
      await acknowledgements.flushed()
    },
  }
}

type Row = Pick<RelayMessage, 'sequence' | 'message' | 'tag' | 'attestation' | 'origin' | 'publisher'> & {
  topic: Buffer
  published_at: number
  expires_at: number
  candidates: number
}

type UndeliveredReads = {
  readPage(where: RawBuilder<unknown>, client: string, after: number): Promise<MessagePage>
  filterTopics(topics: readonly string[], client: string): Promise<readonly string[]>
}

function createUndeliveredReads({ database: { kysely }, clock }: PostgresMailboxOptions): UndeliveredReads {
  function isUndelivered(client: string): RawBuilder<unknown> {
    return sql`expires_at > ${clock.now()} and publisher <> ${client} and not exists (
      select from relay_acknowledgement
      where relay_acknowledgement.sequence = relay_message.sequence and receiver = ${hashReceiver(client)}::bigint
    )`
  }

  return {
    async readPage(where, client, after) {
      const { rows } = await sql<Row>`
        select sequence, topic, message, tag, attestation, origin, publisher, published_at, expires_at, candidates from (
          select *, count(*) over () as candidates,
            sum(octet_length(message)) over (order by sequence) - octet_length(message) as bytes_before
          from (
            select * from relay_message
            where ${where} and sequence > ${after} and ${isUndelivered(client)}
            order by sequence limit ${page.messages + 1}
          ) as undelivered
        ) as measured
        where bytes_before < ${page.bytes} order by sequence limit ${page.messages}`.execute(kysely)
      return { messages: rows.map(toRelayMessage), hasMore: rows[0] !== undefined && rows[0].candidates > rows.length }
    },
    async filterTopics(topics, client) {
      const topicBytes = topics.map((topic) => Buffer.from(topic, 'hex'))
      const { rows } = await sql<{ topic: Buffer }>`
        select topic from unnest(${topicBytes}::bytea[]) as requested (topic) where exists (
          select from relay_message where relay_message.topic = requested.topic and ${isUndelivered(client)}
        )`.execute(kysely)
      return rows.map(({ topic }) => topic.toString('hex'))
    },
  }
}

function toRelayMessage({ sequence, topic, message, tag, attestation, origin, publisher, ...row }: Row): RelayMessage {
  const times = { publishedAt: row.published_at, expiresAt: row.expires_at }
  return { sequence, topic: topic.toString('hex'), message, tag, attestation, origin, publisher, ...times }
}
