import { createHash } from 'node:crypto'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { createBatch } from '../kit/batch.ts'
import type { Clock } from '../kit/clock.ts'
import { ttlRange } from './config.ts'
import type { Mailbox, MessagePage, Stored, StoredMessage } from './mailbox.ts'
import { storePublications, type Incoming } from './storePublications.ts'

export type PostgresMailboxOptions = {
  database: Kysely<unknown>
  clock: Clock
  /** What may wait on one topic. */
  limits: { messages: number; bytes: number }
}

const groups = { group: 500, queue: 20_000 } as const
/** What is read at once. The first message of a page is never too big for it. */
const page = { messages: 100, bytes: 1024 * 1024 } as const

type Row = Omit<StoredMessage, 'publishedAt' | 'expiresAt'> & {
  published_at: number
  expires_at: number
  candidates: number
}

/**
 * The mailbox in PostgreSQL. All publications of one turn of the event loop are one statement and one commit; the
 * next group is gathered while that runs.
 */
export function createPostgresMailbox({ database, clock, limits }: PostgresMailboxOptions): Mailbox {
  const publications = createBatch<Incoming, Stored>(
    (group) => storePublications(database, group, { now: clock.now(), limits }),
    groups,
  )
  const acknowledgements = createBatch<{ sequence: number; client: string }, true>(acknowledgeGroup, groups)

  async function acknowledgeGroup(group: readonly { sequence: number; client: string }[]): Promise<readonly true[]> {
    await sql`
      with delivered as (
        delete from relay_waiting where sequence = any(${group.map(({ sequence }) => sequence)}::bigint[])
      )
      insert into relay_acknowledgement (sequence, client, acknowledged_at)
      select sequence, client, ${clock.now()}::bigint from unnest(
        ${group.map(({ sequence }) => sequence)}::bigint[], ${group.map(({ client }) => client)}::text[]
      ) as row (sequence, client)
      on conflict do nothing`.execute(database)
    return group.map(() => true)
  }

  function isUndelivered(client: string): RawBuilder<unknown> {
    return sql`expires_at > ${clock.now()} and publisher <> ${client} and not exists (
      select from relay_acknowledgement as done
      where done.sequence = relay_message.sequence and done.client = ${client}
    )`
  }

  async function readPage(where: RawBuilder<unknown>, client: string, after: number): Promise<MessagePage> {
    const { rows } = await sql<Row>`
      select sequence, topic, message, tag, attestation, publisher, published_at, expires_at, candidates from (
        select *, count(*) over () as candidates,
          sum(octet_length(message)) over (order by sequence) - octet_length(message) as bytes_before
        from (
          select * from relay_message
          where ${where} and sequence > ${after} and ${isUndelivered(client)}
          order by sequence limit ${page.messages + 1}
        ) as waiting
      ) as measured
      where bytes_before < ${page.bytes} order by sequence limit ${page.messages}`.execute(database)
    return { messages: rows.map(readRow), hasMore: rows[0] !== undefined && rows[0].candidates > rows.length }
  }

  return {
    store: (publication) => publications.add({ ...publication, digest: digestOf(publication.message) }),
    undelivered: (topic, client, after) => readPage(sql`topic = ${topic}`, client, after),
    unread: (client, after) => readPage(sql`true`, client, after),
    async waiting(topics, client) {
      const { rows } = await sql<{ topic: string }>`
        select topic from unnest(${topics}::text[]) as asked (topic) where exists (
          select from relay_message
          where relay_message.topic = asked.topic and ${isUndelivered(client)}
        )`.execute(database)
      return rows.map(({ topic }) => topic)
    },
    async acknowledge(sequence, client) {
      await acknowledgements.add({ sequence, client })
    },
    async sweep() {
      const now = clock.now()
      const { rows } = await sql<{ messages: number }>`
        with gone as (
          delete from relay_message where expires_at <= ${now} returning sequence
        ), forgotten as (
          delete from relay_acknowledgement using gone where relay_acknowledgement.sequence = gone.sequence
        )
        select count(*) as messages from gone`.execute(database)
      await sql`delete from relay_waiting where expires_at <= ${now}`.execute(database)
      // Of those whose message was published anew no message is left; none lives longer than the longest may be kept.
      const oldest = now - ttlRange.most * 1000
      await sql`delete from relay_acknowledgement where acknowledged_at < ${oldest}`.execute(database)
      return rows[0]?.messages ?? 0
    },
    async idle() {
      await publications.idle()
      await acknowledgements.idle()
    },
  }
}

function readRow({ candidates: _, published_at: publishedAt, expires_at: expiresAt, ...message }: Row): StoredMessage {
  return { ...message, publishedAt, expiresAt }
}

function digestOf(message: string): Buffer {
  return createHash('sha256').update(message).digest()
}
