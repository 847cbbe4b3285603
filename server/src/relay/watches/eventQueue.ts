import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { WatchKey, WatchKind, WatchStatus } from './watch.ts'

/** A status change of a message that a webhook must be notified of, with the message. */
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
  /** The number of attempts, this one included. */
  attempts: number
}

/** The events that webhooks have not been notified of. */
export type EventQueue = {
  /** Adds events for stored messages, for the watches of their publishers and of the subscribers of their topics. */
  addAccepted(sequences: readonly number[]): Promise<void>
  /** Adds events for messages that clients acknowledged. */
  addDelivered(receipts: readonly { client: string; sequence: number }[]): Promise<void>
  /** Claims due events. No other process gets them until the claim times out, unless they are postponed. */
  claim(): Promise<readonly WatchEvent[]>
  /** Removes an event whose notification succeeded or was given up. */
  remove(id: number): Promise<void>
  /**
   * Postpones an event, and all other events of its webhook, so that a webhook that fails does not delay the others.
   *
   * @param until milliseconds since 1970
   */
  postpone(event: WatchEvent, until: number): Promise<void>
}

const claimLimits = { events: 40, perWebhook: 10 } as const
/** Longer than a notification takes. */
const claimTimeoutMs = 30_000
/** A message counts as queued if its receiver has not acknowledged it after this time. */
const queuedAfterMs = 5_000
/**
 * Further events are dropped. Each has a copy of its message, which may be needed after the message has expired, so one message
 * can take its size for each webhook: the bytes of a client and of all clients are limited as well.
 */
export const eventLimits = {
  eventsPerWebhook: 10_000,
  bytesPerClient: 8 * 1024 * 1024,
  bytes: 1024 * 1024 * 1024,
} as const

type EventLimits = Readonly<Record<keyof typeof eventLimits, number>>

/** The sum of all bytes takes a scan. */
const measureIntervalMs = 5_000

/** Creates the queue in PostgreSQL. */
export function createEventQueue(
  database: Kysely<unknown>,
  clock: Clock,
  limits: EventLimits = eventLimits,
): EventQueue {
  const measureBytes = createMeasurement(database, clock)

  async function insert(matching: RawBuilder<unknown>): Promise<void> {
    await insertEvents(database, clock.now(), matching, { ...limits, bytes: limits.bytes - (await measureBytes()) })
  }

  return {
    async addAccepted(sequences) {
      if (sequences.length > 0) await insert(selectAccepted(sequences))
    },
    async addDelivered(receipts) {
      if (receipts.length > 0) await insert(selectDelivered(receipts))
    },
    async claim() {
      await deleteAcknowledged(database)
      return claimDue(database, clock.now())
    },
    async remove(id) {
      await sql`delete from relay_watch_event where id = ${id}`.execute(database)
    },
    async postpone({ id, webhook }, until) {
      await sql`
        update relay_watch_event set next_at = ${until}
        where id = ${id} or (webhook = ${webhook} and next_at < ${until})`.execute(database)
    },
  }
}

/** Creates a function that returns the bytes of all events, as last measured. Concurrent calls share a measurement. */
function createMeasurement(database: Kysely<unknown>, clock: Clock): () => Promise<number> {
  let last: { readonly at: number; readonly bytes: Promise<number> } | undefined

  async function measure(): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(octet_length(message)), 0)::float8 as bytes from relay_watch_event`.execute(database)
    return rows[0]?.bytes ?? 0
  }

  return () => {
    if (last !== undefined && clock.now() - last.at < measureIntervalMs) return last.bytes
    const bytes = measure()
    last = { at: clock.now(), bytes }
    // The next call measures again.
    bytes.catch(() => (last = undefined))
    return bytes
  }
}

/**
 * Inserts an event for each row of watches joined with messages, as far as the limits allow.
 *
 * @param limits `bytes` is what is left of it
 */
async function insertEvents(
  database: Kysely<unknown>,
  now: number,
  matching: RawBuilder<unknown>,
  limits: EventLimits,
): Promise<void> {
  await sql`
    with added as materialized (
      select matching.*, row_number() over of_webhook as events_added,
        sum(octet_length(message)) over of_client as client_bytes, sum(octet_length(message)) over of_all as bytes
      from (${matching}) as matching
      where expires_at > ${now} and tag = any(tags) and status = any(statuses)
      window of_webhook as (partition by client, service, webhook order by sequence, status),
        of_client as (partition by client order by sequence, service, webhook, status),
        of_all as (order by sequence, client, service, webhook, status)
    ), present as (
      select client, service, webhook, count(*) as events_present, sum(octet_length(message)) as webhook_bytes
      from relay_watch_event where client in (select client from added) group by client, service, webhook
    ), present_of_client as (
      select client, sum(webhook_bytes) as bytes_present from present group by client
    )
    insert into relay_watch_event (
      client, service, webhook, kind, receiver, status,
      sequence, topic, message, tag, attestation, published_at, created_at, next_at
    )
    select client, service, webhook, kind, receiver, status,
      sequence, topic, message, tag, attestation, published_at, ${now}::bigint,
      ${now}::bigint + case status when 'queued' then ${queuedAfterMs}::bigint else 0 end
    from added left join present using (client, service, webhook) left join present_of_client using (client)
    where bytes <= ${limits.bytes}::float8
      and events_added + coalesce(events_present, 0) <= ${limits.eventsPerWebhook}
      and client_bytes + coalesce(bytes_present, 0) <= ${limits.bytesPerClient}
    on conflict do nothing`.execute(database)
}

const eventColumns = sql`stored.sequence, stored.topic, stored.message, stored.tag, stored.attestation,
  stored.published_at, watch.client, watch.service, watch.webhook, watch.kind, watch.receiver, watch.tags,
  watch.statuses, watch.expires_at`

function selectAccepted(sequences: readonly number[]): RawBuilder<unknown> {
  return sql`
    select ${eventColumns}, 'accepted' as status
    from relay_message as stored join relay_watch as watch on watch.client = stored.publisher
    where stored.sequence = any(${[...sequences]}::bigint[]) and watch.kind = 'publisher'
    union all
    select ${eventColumns}, status
    from relay_message as stored
      join relay_watch_topic as watched on watched.topic = stored.topic and watched.client <> stored.publisher
      join relay_watch as watch on watch.client = watched.client
      cross join unnest(array['accepted', 'queued']) as status
    where stored.sequence = any(${[...sequences]}::bigint[]) and watch.kind = 'subscriber'`
}

function selectDelivered(receipts: readonly { client: string; sequence: number }[]): RawBuilder<unknown> {
  const clients = receipts.map(({ client }) => client)
  const sequences = receipts.map(({ sequence }) => sequence)
  return sql`
    select ${eventColumns}, 'delivered' as status
    from unnest(${clients}::text[], ${sequences}::bigint[]) as receipt (client, sequence)
      join relay_message as stored on stored.sequence = receipt.sequence
      join relay_watch as watch on watch.client = receipt.client
    where watch.kind = 'subscriber'`
}

/** Deletes `queued` events whose message was acknowledged before it counted as queued. */
async function deleteAcknowledged(database: Kysely<unknown>): Promise<void> {
  await sql`
    delete from relay_watch_event using relay_acknowledgement as acknowledgement
    where relay_watch_event.status = 'queued' and relay_watch_event.attempts = 0
      and acknowledgement.sequence = relay_watch_event.sequence
      and acknowledgement.receiver = relay_watch_event.receiver`.execute(database)
}

type Row = Omit<WatchEvent, 'topic' | 'publishedAt' | 'createdAt'> & {
  topic: Buffer
  published_at: number
  created_at: number
}

async function claimDue(database: Kysely<unknown>, now: number): Promise<readonly WatchEvent[]> {
  const { rows } = await sql<Row>`
    with due as (
      select id from relay_watch_event where next_at <= ${now} and id in (
        select id from (
          select id, next_at, row_number() over (partition by webhook order by next_at, id) as place
          from relay_watch_event where next_at <= ${now}
        ) as ranked
        where place <= ${claimLimits.perWebhook} order by next_at, id limit ${claimLimits.events}
      ) for update skip locked
    )
    update relay_watch_event set next_at = ${now + claimTimeoutMs}, attempts = attempts + 1
    from due where relay_watch_event.id = due.id
    returning relay_watch_event.id, client, service, webhook, kind, status, sequence, topic, message, tag,
      attestation, published_at, created_at, attempts`.execute(database)
  return rows.toSorted((one, other) => one.id - other.id).map(toWatchEvent)
}

function toWatchEvent({ topic, published_at: publishedAt, created_at: createdAt, ...row }: Row): WatchEvent {
  return { ...row, topic: topic.toString('hex'), publishedAt, createdAt }
}
