import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { PushServiceName } from './pushService.ts'

/** A client's registration with a push service. */
export type PushRegistration = {
  client: string
  service: PushServiceName
  token: string
  isRaw: boolean
  /** A keyed hash of the address that registered it. */
  source: Buffer
}

/** The subscription of a client to a topic. */
export type PushSubscription = { client: string; topic: string }

/** The registrations, and the topics of registered clients, for all processes of the relay. */
export type PushStore = {
  /**
   * Adds a registration, or replaces that of the same client.
   *
   * @returns false if there are too many, from the same address or of all clients
   */
  add(registration: PushRegistration): Promise<boolean>
  /** Removes the registration of a client with its topics and notifications. */
  remove(client: string): Promise<void>
  /** Removes it unless the client has registered another token since. */
  removeToken(client: string, token: string): Promise<void>
  /** Adds the subscriptions of registered clients, which stay when a client disconnects. Ignores those of others. */
  addSubscriptions(added: readonly PushSubscription[]): Promise<void>
  removeSubscriptions(removed: readonly PushSubscription[]): Promise<void>
  /** Deletes expired registrations, and topics that a client has not subscribed to since. */
  deleteExpired(): Promise<void>
}

export type PushStoreLimits = {
  /** Registrations from one address. */
  perSource: number
  /** Registrations of all clients, by the estimate that PostgreSQL keeps. */
  total: number
  topicsPerClient: number
}

const dayMs = 24 * 60 * 60 * 1000
/** Clients register at each start. An app that does not for this time was probably removed. */
const registrationMs = 60 * dayMs
/** Clients subscribe again with each connection. */
const subscriptionMs = 60 * dayMs

/** Creates the store in PostgreSQL. */
export function createPushStore(database: Kysely<unknown>, clock: Clock, limits: PushStoreLimits): PushStore {
  return {
    async add({ client, service, token, isRaw, source }) {
      const { rows } = await sql`
        insert into relay_push_client (client, service, token, is_raw, source, expires_at)
        select ${client}, ${service}, ${token}, ${isRaw}, ${source}::bytea, ${clock.now() + registrationMs}::bigint
        where ${limits.perSource} > (
          select count(*) from relay_push_client where source = ${source} and client <> ${client}
        ) and ${limits.total} > (select reltuples from pg_class where oid = 'relay_push_client'::regclass)
        on conflict (client) do update set service = excluded.service, token = excluded.token,
          is_raw = excluded.is_raw, source = excluded.source, expires_at = excluded.expires_at
        returning id`.execute(database)
      return rows.length === 1
    },
    async remove(client) {
      await sql`delete from relay_push_client where client = ${client}`.execute(database)
    },
    async removeToken(client, token) {
      await sql`delete from relay_push_client where client = ${client} and token = ${token}`.execute(database)
    },
    async addSubscriptions(added) {
      if (added.length === 0) return
      // A subscription that is known is written once a day, so that reconnects cost reads only.
      await sql`
        insert into relay_push_topic (topic, client_id, subscribed_at)
        select distinct added.topic, added.id, ${clock.now()}::bigint
        from (${registeredOf(added)}) as added
        where ${limits.topicsPerClient} > (select count(*) from relay_push_topic where client_id = added.id)
          or exists (select from relay_push_topic where client_id = added.id and topic = added.topic)
        on conflict (topic, client_id) do update set subscribed_at = excluded.subscribed_at
        where relay_push_topic.subscribed_at < excluded.subscribed_at - ${dayMs}`.execute(database)
    },
    async removeSubscriptions(removed) {
      if (removed.length === 0) return
      await sql`
        delete from relay_push_topic using (${registeredOf(removed)}) as gone
        where relay_push_topic.client_id = gone.id and relay_push_topic.topic = gone.topic`.execute(database)
    },
    async deleteExpired() {
      await sql`delete from relay_push_client where expires_at <= ${clock.now()}`.execute(database)
      await sql`delete from relay_push_topic where subscribed_at <= ${clock.now() - subscriptionMs}`.execute(database)
    },
  }
}

/** Selects the topics of the clients that are registered, with their ids. */
function registeredOf(list: readonly PushSubscription[]): RawBuilder<unknown> {
  const clients = list.map(({ client }) => client)
  const topics = list.map(({ topic }) => Buffer.from(topic, 'hex'))
  // The limit makes PostgreSQL look up each client. A join reads all registrations.
  return sql`
    select registered.id, listed.topic
    from unnest(${clients}::text[], ${topics}::bytea[]) as listed (client, topic)
      cross join lateral (select id from relay_push_client where client = listed.client limit 1) as registered`
}
