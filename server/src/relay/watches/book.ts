import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import { receiverOf } from '../receipts.ts'
import type { Watch, WatchKey } from './watch.ts'

/** A client that listens on a topic. */
export type Listening = { client: string; topic: string }

/** Which watches there are, and what the watched clients listen on: the same for all processes of the relay. */
export type WatchBook = {
  /** Notes a watch, in place of the one with the same key; false when its client has too many already. */
  add(watch: Watch): Promise<boolean>
  remove(key: WatchKey): Promise<void>
  /** The clients that are watched now. */
  clients(): Promise<ReadonlySet<string>>
  /** Watched clients listen on topics from now on, whether they are connected or not. */
  listen(added: readonly Listening[]): Promise<void>
  unlisten(removed: readonly Listening[]): Promise<void>
  /** Forgets watches whose time is over, and what their clients listen on. */
  sweep(): Promise<void>
}

const watchesPerClient = 64

/** The book in PostgreSQL. */
export function createWatchBook(database: Kysely<unknown>, clock: Clock): WatchBook {
  const topics = (listening: readonly Listening[]): readonly Buffer[] =>
    listening.map(({ topic }) => Buffer.from(topic, 'hex'))
  const clients = (listening: readonly Listening[]): readonly string[] => listening.map(({ client }) => client)

  async function forgetUnwatched(): Promise<void> {
    await sql`
      delete from relay_watch_topic
      where not exists (select from relay_watch where relay_watch.client = relay_watch_topic.client)`.execute(database)
  }

  return {
    async add({ client, service, webhook, kind, tags, statuses, expiresAt }) {
      const { rows } = await sql`
        insert into relay_watch (client, service, webhook, kind, tags, statuses, receiver, expires_at)
        select ${client}, ${service}, ${webhook}, ${kind}, ${[...tags]}::bigint[], ${[...statuses]}::text[],
          ${receiverOf(client)}::bigint, ${expiresAt}::bigint
        where ${watchesPerClient} > (
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
      await forgetUnwatched()
    },
    async clients() {
      const { rows } = await sql<{ client: string }>`
        select distinct client from relay_watch where expires_at > ${clock.now()}`.execute(database)
      return new Set(rows.map(({ client }) => client))
    },
    async listen(added) {
      if (added.length === 0) return
      await sql`
        insert into relay_watch_topic (client, topic)
        select * from unnest(${clients(added)}::text[], ${topics(added)}::bytea[])
        on conflict do nothing`.execute(database)
    },
    async unlisten(removed) {
      if (removed.length === 0) return
      await sql`
        delete from relay_watch_topic
        using unnest(${clients(removed)}::text[], ${topics(removed)}::bytea[]) as gone (client, topic)
        where relay_watch_topic.client = gone.client and relay_watch_topic.topic = gone.topic`.execute(database)
    },
    async sweep() {
      await sql`delete from relay_watch where expires_at <= ${clock.now()}`.execute(database)
      await forgetUnwatched()
    },
  }
}
