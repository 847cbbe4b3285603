import { sql, type RawBuilder } from 'kysely'
import { createBatch } from '../kit/batch.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import type { Mailbox, MessagePage, Stored, StoredMessage } from './mailbox.ts'
import { createLetter, createPublications, type Letter, type MailboxLimits } from './publications.ts'
import { createReceipts, receiverOf } from './receipts.ts'

export type PostgresMailboxOptions = {
  database: Database
  clock: Clock
  limits: MailboxLimits
  /** The client that carries messages to and from another relay: it speaks for many, and that it heard one tells nothing. */
  carrier?: string | undefined
}

const groups = { group: 500, queue: 20_000, gather: 5 } as const
/** What is read at once. The first message of a page is never too big for it. */
const page = { messages: 100, bytes: 1024 * 1024 } as const
/** How long a message may go without a receipt before it counts as unheard, in milliseconds. */
const hearing = 2_000

type Row = Pick<StoredMessage, 'sequence' | 'message' | 'tag' | 'attestation' | 'origin' | 'publisher'> & {
  topic: Buffer
  published_at: number
  expires_at: number
  candidates: number
}

/**
 * The mailbox in PostgreSQL. All publications of one turn of the event loop are one statement and one commit; the
 * next group is gathered while that runs.
 */
export function createPostgresMailbox({ database, clock, limits, carrier }: PostgresMailboxOptions): Mailbox {
  const { kysely } = database
  const store = createPublications({ database, clock, limits, carrier })
  const publications = createBatch<Letter, Stored>(store, groups)
  const receipts = createReceipts({ database })

  function isUndelivered(client: string): RawBuilder<unknown> {
    return sql`expires_at > ${clock.now()} and publisher <> ${client} and not exists (
      select from relay_receipt
      where relay_receipt.sequence = relay_letter.sequence and receiver = ${receiverOf(client)}::bigint
    )`
  }

  async function readPage(where: RawBuilder<unknown>, client: string, after: number): Promise<MessagePage> {
    await receipts.written()
    const { rows } = await sql<Row>`
      select sequence, topic, message, tag, attestation, origin, publisher, published_at, expires_at, candidates from (
        select *, count(*) over () as candidates,
          sum(octet_length(message)) over (order by sequence) - octet_length(message) as bytes_before
        from (
          select * from relay_letter
          where ${where} and sequence > ${after} and ${isUndelivered(client)}
          order by sequence limit ${page.messages + 1}
        ) as waiting
      ) as measured
      where bytes_before < ${page.bytes} order by sequence limit ${page.messages}`.execute(kysely)
    return { messages: rows.map(readRow), hasMore: rows[0] !== undefined && rows[0].candidates > rows.length }
  }

  return {
    store: (publication) => publications.add(createLetter(publication)),
    undelivered: (topic, client, after) => readPage(sql`topic = ${Buffer.from(topic, 'hex')}`, client, after),
    unread: (client, after) => readPage(sql`true`, client, after),
    async waiting(topics, client) {
      await receipts.written()
      const asked = topics.map((topic) => Buffer.from(topic, 'hex'))
      const { rows } = await sql<{ topic: Buffer }>`
        select topic from unnest(${asked}::bytea[]) as asked (topic) where exists (
          select from relay_letter where relay_letter.topic = asked.topic and ${isUndelivered(client)}
        )`.execute(kysely)
      return rows.map(({ topic }) => topic.toString('hex'))
    },
    async unheard(after) {
      if (after === undefined) {
        const { rows } = await sql<{ last: number }>`
          select coalesce(max(sequence), 0) as last from relay_letter`.execute(kysely)
        return { topics: [], last: rows[0]?.last ?? 0 }
      }
      const { rows } = await sql<{ topics: readonly Buffer[] | null; last: number | null }>`
        select max(sequence) as last, array_agg(distinct topic) filter (where not exists (
          select from relay_receipt
          where relay_receipt.sequence = relay_letter.sequence and receiver <> ${receiverOf(carrier ?? '')}::bigint
        )) as topics
        from relay_letter where sequence > ${after} and published_at <= ${clock.now() - hearing}`.execute(kysely)
      return { topics: (rows[0]?.topics ?? []).map((topic) => topic.toString('hex')), last: rows[0]?.last ?? after }
    },
    acknowledge: (sequence, client) => receipts.add(sequence, client),
    async sweep() {
      const { rows } = await sql<{ messages: number }>`
        with gone as (
          delete from relay_letter where expires_at <= ${clock.now()} returning sequence
        ), forgotten as (
          delete from relay_receipt using gone where relay_receipt.sequence = gone.sequence
        )
        select count(*) as messages from gone`.execute(kysely)
      return rows[0]?.messages ?? 0
    },
    async idle() {
      await publications.idle()
      await receipts.written()
    },
  }
}

function readRow({ sequence, topic, message, tag, attestation, origin, publisher, ...row }: Row): StoredMessage {
  const times = { publishedAt: row.published_at, expiresAt: row.expires_at }
  return { sequence, topic: topic.toString('hex'), message, tag, attestation, origin, publisher, ...times }
}
