import { sql, type Kysely } from 'kysely'

/** Creates the tables of the push gateway. Deleting a registration deletes its topics and its notifications. */
export async function createRelayPush(database: Kysely<unknown>): Promise<void> {
  // A single row: browsers bind a subscription to the key of the server, so all processes sign with the same one.
  await sql`
    create table relay_push_key (
      id smallint primary key default 1 check (id = 1),
      secret bytea not null
    )`.execute(database)
  await sql`
    create table relay_push_client (
      id bigint generated always as identity primary key,
      client text not null unique,
      service text not null,
      token text not null,
      is_raw boolean not null,
      source bytea not null,
      expires_at bigint not null
    )`.execute(database)
  await sql`create index relay_push_client_by_source on relay_push_client (source)`.execute(database)
  await sql`create index relay_push_client_by_expiry on relay_push_client (expires_at)`.execute(database)
  // Topics of registered clients, kept while the clients are offline.
  await sql`
    create table relay_push_topic (
      topic bytea not null,
      client_id bigint not null references relay_push_client on delete cascade,
      subscribed_at bigint not null,
      primary key (topic, client_id)
    )`.execute(database)
  await sql`create index relay_push_topic_by_client on relay_push_topic (client_id, subscribed_at)`.execute(database)
  await sql`create index relay_push_topic_by_time on relay_push_topic (subscribed_at)`.execute(database)
  await sql`
    create table relay_push_notification (
      id bigint generated always as identity primary key,
      client_id bigint not null references relay_push_client on delete cascade,
      topic bytea not null,
      sequence bigint not null,
      tag bigint not null,
      message text,
      expires_at bigint not null,
      next_at bigint not null,
      attempts integer not null default 0,
      unique (client_id, topic, sequence)
    )`.execute(database)
  await sql`create index relay_push_notification_by_time on relay_push_notification (next_at)`.execute(database)
  await sql`create index relay_push_notification_by_expiry on relay_push_notification (expires_at)`.execute(database)
}

/** Drops the tables. Wallets register again with the next release that has them. */
export async function dropRelayPush(database: Kysely<unknown>): Promise<void> {
  for (const table of ['notification', 'topic', 'client', 'key']) {
    await sql`drop table ${sql.table(`relay_push_${table}`)}`.execute(database)
  }
}
