import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import type { WatchKey, WatchKind, WatchStatus } from './watch.ts'

/** Something to tell: what became of a message, with the message. */
export type WatchEvent = WatchKey & {
  id: number
  kind: WatchKind
  status: WatchStatus
  /** Receipts name the message by it. */
  sequence: number
  topic: string
  message: string
  tag: number
  attestation: string
  /** Milliseconds since 1970. */
  publishedAt: number
  createdAt: number
  /** How often it was tried, this time included. */
  attempts: number
}

/** What is to be told, kept until it was. */
export type EventQueue = {
  /** Messages were taken: whoever watches their publishers, or those who listen on their topics, is to be told. */
  accepted(sequences: readonly number[]): Promise<void>
  /** Clients have messages. */
  delivered(receipts: readonly { client: string; sequence: number }[]): Promise<void>
  /**
   * Takes what is to be told now. Nobody else is given it for a while, after which it is due again unless it was
   * dropped or put off.
   */
  claim(): Promise<readonly WatchEvent[]>
  /** It was told, or never will be. */
  drop(id: number): Promise<void>
  /**
   * It could not be told: it is due again at a time, in milliseconds since 1970, and nothing else for its webhook is due
   * before. A webhook that does not answer must not keep the others waiting.
   */
  putOff(event: WatchEvent, until: number): Promise<void>
}

/** How many are taken at once, and how many of them for one webhook. */
const most = { together: 40, perWebhook: 10 } as const
/** How long one that was taken stays out of the others' sight, in milliseconds: longer than telling takes. */
const claimTime = 30_000
/** How long a receiver has to take a message before that counts as waiting, in milliseconds. */
const queuedAfter = 5_000
/** How much may wait for one webhook: what comes on top of it is not kept. */
const eventsPerWebhook = 10_000

type Row = Omit<WatchEvent, 'topic' | 'publishedAt' | 'createdAt'> & {
  topic: Buffer
  published_at: number
  created_at: number
}

/** The queue in PostgreSQL. */
export function createEventQueue(database: Kysely<unknown>, clock: Clock): EventQueue {
  /** Keeps an event for each row of watches joined with messages that is asked for. */
  async function keep(matching: RawBuilder<unknown>): Promise<void> {
    const now = clock.now()
    await sql`
      insert into relay_watch_event (
        client, service, webhook, kind, receiver, status,
        sequence, topic, message, tag, attestation, published_at, created_at, next_at
      )
      select client, service, webhook, kind, receiver, status,
        sequence, topic, message, tag, attestation, published_at, ${now}::bigint,
        ${now}::bigint + case status when 'queued' then ${queuedAfter}::bigint else 0 end
      from (${matching}) as matching
      where expires_at > ${now} and tag = any(tags) and status = any(statuses) and ${eventsPerWebhook} > (
        select count(*) from relay_watch_event as waiting
        where waiting.client = matching.client and waiting.service = matching.service
          and waiting.webhook = matching.webhook
      )
      on conflict do nothing`.execute(database)
  }

  return {
    async accepted(sequences) {
      if (sequences.length === 0) return
      const columns = sql`letter.sequence, letter.topic, letter.message, letter.tag, letter.attestation,
        letter.published_at, watch.client, watch.service, watch.webhook, watch.kind, watch.receiver, watch.tags,
        watch.statuses, watch.expires_at`
      await keep(sql`
        select ${columns}, 'accepted' as status
        from relay_letter as letter join relay_watch as watch on watch.client = letter.publisher
        where letter.sequence = any(${[...sequences]}::bigint[]) and watch.kind = 'publisher'
        union all
        select ${columns}, status
        from relay_letter as letter
          join relay_watch_topic as listening on listening.topic = letter.topic and listening.client <> letter.publisher
          join relay_watch as watch on watch.client = listening.client
          cross join unnest(array['accepted', 'queued']) as status
        where letter.sequence = any(${[...sequences]}::bigint[]) and watch.kind = 'subscriber'`)
    },
    async delivered(receipts) {
      if (receipts.length === 0) return
      await keep(sql`
        select letter.sequence, letter.topic, letter.message, letter.tag, letter.attestation, letter.published_at,
          watch.client, watch.service, watch.webhook, watch.kind, watch.receiver, watch.tags, watch.statuses,
          watch.expires_at, 'delivered' as status
        from unnest(
            ${receipts.map(({ client }) => client)}::text[], ${receipts.map(({ sequence }) => sequence)}::bigint[]
          ) as receipt (client, sequence)
          join relay_letter as letter on letter.sequence = receipt.sequence
          join relay_watch as watch on watch.client = receipt.client
        where watch.kind = 'subscriber'`)
    },
    async claim() {
      const now = clock.now()
      // What its receiver took meanwhile did not wait.
      await sql`
        delete from relay_watch_event using relay_receipt
        where relay_watch_event.status = 'queued' and relay_watch_event.attempts = 0
          and relay_receipt.sequence = relay_watch_event.sequence
          and relay_receipt.receiver = relay_watch_event.receiver`.execute(database)
      const { rows } = await sql<Row>`
        with due as (
          select id from relay_watch_event where next_at <= ${now} and id in (
            select id from (
              select id, next_at, row_number() over (partition by webhook order by next_at, id) as place
              from relay_watch_event where next_at <= ${now}
            ) as ranked
            where place <= ${most.perWebhook} order by next_at, id limit ${most.together}
          ) for update skip locked
        )
        update relay_watch_event set next_at = ${now + claimTime}, attempts = attempts + 1
        from due where relay_watch_event.id = due.id
        returning relay_watch_event.id, client, service, webhook, kind, status, sequence, topic, message, tag,
          attestation, published_at, created_at, attempts`.execute(database)
      return rows.toSorted((one, other) => one.id - other.id).map(readRow)
    },
    async drop(id) {
      await sql`delete from relay_watch_event where id = ${id}`.execute(database)
    },
    async putOff({ id, webhook }, until) {
      await sql`
        update relay_watch_event set next_at = ${until}
        where id = ${id} or (webhook = ${webhook} and next_at < ${until})`.execute(database)
    },
  }
}

function readRow({ topic, published_at: publishedAt, created_at: createdAt, ...row }: Row): WatchEvent {
  return { ...row, topic: topic.toString('hex'), publishedAt, createdAt }
}
