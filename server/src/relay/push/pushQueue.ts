import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { RelayMessage } from '../mailbox/mailbox.ts'
import { maxPushedMessage, type PushNotification, type PushServiceName } from './pushService.ts'

/** A notification that has to be sent to a client. */
export type QueuedNotification = PushNotification & {
  id: number
  client: string
  service: PushServiceName
  token: string
  sequence: number
  /** The number of attempts, this one included. */
  attempts: number
}

/** The notifications that push services have not accepted yet, for all processes of the relay. */
export type PushQueue = {
  /** Adds a notification for each registered client that is subscribed to the topic of a message, except its publisher. */
  add(messages: readonly RelayMessage[]): Promise<void>
  /** Claims due notifications. No other process gets them until the claim times out, unless they are postponed. */
  claim(): Promise<readonly QueuedNotification[]>
  remove(id: number): Promise<void>
  /** @param until milliseconds since 1970 */
  postpone(id: number, until: number): Promise<void>
  deleteExpired(): Promise<void>
}

/** A connected client acknowledges its messages within this time, so that it needs no notification. */
const acknowledgementMs = 1_000
/** A client must not delay those of others. */
const claimLimits = { notifications: 40, perClient: 4 } as const
/** Longer than a request to a push service takes. */
const claimTimeoutMs = 30_000
/** Further ones are dropped: the client is woken by those before. */
const maxPerClient = 100

/** Creates the queue in PostgreSQL. The notifications contain their messages, which may be in another store. */
export function createPushQueue(database: Kysely<unknown>, clock: Clock): PushQueue {
  return {
    add: (messages) => insertNotifications(database, clock.now(), messages),
    claim: () => claimDue(database, clock.now()),
    async remove(id) {
      await sql`delete from relay_push_notification where id = ${id}`.execute(database)
    },
    async postpone(id, until) {
      await sql`update relay_push_notification set next_at = ${until} where id = ${id}`.execute(database)
    },
    async deleteExpired() {
      await sql`delete from relay_push_notification where expires_at <= ${clock.now()}`.execute(database)
    },
  }
}

async function insertNotifications(
  database: Kysely<unknown>,
  now: number,
  messages: readonly RelayMessage[],
): Promise<void> {
  if (messages.length === 0) return
  const list = <value>(read: (message: RelayMessage) => value): value[] => messages.map(read)
  const texts = list(({ message }) => (Buffer.byteLength(message) <= maxPushedMessage ? message : null))
  await sql`
    insert into relay_push_notification (client_id, topic, sequence, tag, message, expires_at, next_at)
    select client.id, stored.topic, stored.sequence, stored.tag, stored.message, stored.expires_at,
      ${now + acknowledgementMs}::bigint
    from unnest(
        ${list(({ topic }) => Buffer.from(topic, 'hex'))}::bytea[], ${list(({ sequence }) => sequence)}::bigint[],
        ${list(({ tag }) => tag)}::bigint[], ${texts}::text[], ${list(({ expiresAt }) => expiresAt)}::bigint[],
        ${list(({ publisher }) => publisher)}::text[]
      ) as stored (topic, sequence, tag, message, expires_at, publisher)
      join relay_push_topic as subscribed on subscribed.topic = stored.topic
      join relay_push_client as client on client.id = subscribed.client_id
    where client.client <> stored.publisher and client.expires_at > ${now}
      and ${maxPerClient} > (select count(*) from relay_push_notification where client_id = client.id)
    on conflict do nothing`.execute(database)
}

type Row = {
  id: number
  client: string
  service: PushServiceName
  token: string
  is_raw: boolean
  topic: Buffer
  sequence: number
  tag: number
  message: string | null
  expires_at: number
  attempts: number
}

async function claimDue(database: Kysely<unknown>, now: number): Promise<readonly QueuedNotification[]> {
  const { rows } = await sql<Row>`
    with due as (
      select id from relay_push_notification where next_at <= ${now} and expires_at > ${now} and id in (
        select id from (
          select id, next_at, row_number() over (partition by client_id order by next_at, id) as place
          from (
            select id, client_id, next_at from relay_push_notification where next_at <= ${now} order by next_at limit 1000
          ) as oldest
        ) as ranked
        where place <= ${claimLimits.perClient} order by next_at, id limit ${claimLimits.notifications}
      ) for update skip locked
    )
    update relay_push_notification as notification
    set next_at = ${now + claimTimeoutMs}, attempts = attempts + 1
    from due, relay_push_client as client
    where notification.id = due.id and client.id = notification.client_id
    returning notification.id, client.client, client.service, client.token, client.is_raw, notification.topic,
      notification.sequence, notification.tag, notification.message, notification.expires_at, notification.attempts
  `.execute(database)
  return rows.toSorted((one, other) => one.id - other.id).map(toNotification)
}

function toNotification({ topic, message, is_raw: isRaw, expires_at: expiresAt, ...row }: Row): QueuedNotification {
  return { ...row, topic: topic.toString('hex'), message: message ?? undefined, isRaw, expiresAt }
}
