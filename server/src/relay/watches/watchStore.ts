import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import { hashReceiver } from '../mailbox/acknowledgements.ts'
import type { Watch, WatchKey } from './watch.ts'

/** The subscription of a client to a topic. */
export type WatchedSubscription = { client: string; topic: string }

/** The watches, and the subscriptions of watched clients, for all processes of the relay. */
export type WatchStore = {
  /** Adds a watch, or replaces the one with the same key. Returns false if its client has too many. */
  add(watch: Watch): Promise<boolean>
  remove(key: WatchKey): Promise<void>
  listWatchedClients(): Promise<ReadonlySet<string>>
  /** Adds subscriptions, which stay when their client disconnects. */
  addSubscriptions(added: readonly WatchedSubscription[]): Promise<void>
  removeSubscriptions(removed: readonly WatchedSubscription[]): Promise<void>
  /** Deletes expired watches, and the subscriptions of clients without a watch. */
  deleteExpired(): Promise<void>
}

const maxWatchesPerClient = 64
/** As many as a client may have on all of its connections together. Further ones are not watched. */
const maxTopicsPerClient = 5_000

/** Creates the store in PostgreSQL. */
export function createWatchStore(database: Kysely<unknown>, clock: Clock): WatchStore {
  const topics = (listening: readonly WatchedSubscription[]): readonly Buffer[] =>
    listening.map(({ topic }) => Buffer.from(topic, 'hex'))
  const clients = (listening: readonly WatchedSubscription[]): readonly string[] =>
    listening.map(({ client }) => client)

  async function deleteUnwatchedSubscriptions(): Promise<void> {
    await sql`
      delete from relay_watch_topic
      where not exists (select from relay_watch where relay_watch.client = relay_watch_topic.client)`.execute(database)
  }

  return {
    async add({ client, service, webhook, kind, tags, statuses, expiresAt }) {
      const { rows } = await sql`
        insert into relay_watch (client, service, webhook, kind, tags, statuses, receiver, expires_at)
        select ${client}, ${service}, ${webhook}, ${kind}, ${[...tags]}::bigint[], ${[...statuses]}::text[],
          ${hashReceiver(client)}::bigint, ${expiresAt}::bigint
        where ${maxWatchesPerClient} > (
          select count(*) from relay_watch
          where client = ${client} and (service, webhook) <> (${service}, ${webhook}) and expires_at > ${clock.now()}
        )
        on conflict (client, service, webhook) do update set
          kind = excluded.kind, tags = excluded.tags, statuses = excluded.statuses, expires_at = excluded.expires_at
        returning client`.execute(database)
      return rows.length === 1
    },
    async remove({ client, service, webhook }) {
      await sql`
        delete from relay_watch
        where client = ${client} and service = ${service} and webhook = ${webhook}`.execute(database)
      await deleteUnwatchedSubscriptions()
    },
    async listWatchedClients() {
      const { rows } = await sql<{ client: string }>`
        select distinct client from relay_watch where expires_at > ${clock.now()}`.execute(database)
      return new Set(rows.map(({ client }) => client))
    },
    async addSubscriptions(added) {
      if (added.length === 0) return
      await sql`
        insert into relay_watch_topic (client, topic)
        select client, topic from unnest(${clients(added)}::text[], ${topics(added)}::bytea[]) as added (client, topic)
        where ${maxTopicsPerClient} > (select count(*) from relay_watch_topic as had where had.client = added.client)
        on conflict do nothing`.execute(database)
    },
    async removeSubscriptions(removed) {
      if (removed.length === 0) return
      await sql`
        delete from relay_watch_topic
        using unnest(${clients(removed)}::text[], ${topics(removed)}::bytea[]) as gone (client, topic)
        where relay_watch_topic.client = gone.client and relay_watch_topic.topic = gone.topic`.execute(database)
    },
    async deleteExpired() {
      await sql`delete from relay_watch where expires_at <= ${clock.now()}`.execute(database)
      await deleteUnwatchedSubscriptions()
    },
  }
}
