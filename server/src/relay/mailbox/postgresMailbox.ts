import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Database } from '../../kit/database/database.ts'
import type { MailboxLimits } from '../limits/admitMessages.ts'
import { createAcknowledgements, hashReceiver } from './acknowledgements.ts'
import { deleteExpired } from './deleteMessages.ts'
import type { Mailbox, MessagePage, RelayMessage } from './mailbox.ts'
import { createMessageStore } from './messageStore.ts'

export type PostgresMailboxOptions = {
  database: Database
  clock: Clock
  limits: MailboxLimits
  /** The bridge's client. It publishes for many clients, and its acknowledgement does not mean that a subscriber has a message. */
  bridgeClientId?: string | undefined
}

/** The most batches of one deletion. The next one continues. */
const maxDeletionBatches = 100
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
  const messages = createMessageStore(options)
  const acknowledgements = createAcknowledgements({ database })
  const reads = createUndeliveredReads(options)

  return {
    store: messages.store,
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
    deleteExpired: () => deleteExpired(kysely, clock.now(), maxDeletionBatches),
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
