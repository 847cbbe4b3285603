import { sql } from 'kysely'
import type { Migrations } from '../../kit/migrations.ts'

/** The tables of the watches, and the key that signs what they tell. */
export const watchMigrations: Migrations = {
  '2026-11-22-relay-watches': {
    async up(database) {
      // One row: all processes of this relay speak with one voice.
      await sql`
        create table relay_identity (
          id smallint primary key default 1 check (id = 1),
          secret bytea not null
        )`.execute(database)
      await sql`
        create table relay_watch (
          client text not null,
          service text not null,
          webhook text not null,
          kind text not null,
          tags bigint[] not null,
          statuses text[] not null,
          receiver bigint not null,
          expires_at bigint not null,
          primary key (client, service, webhook)
        )`.execute(database)
      // What watched clients listen on, whether they are connected or not.
      await sql`
        create table relay_watch_topic (
          client text not null,
          topic bytea not null,
          primary key (topic, client)
        )`.execute(database)
      await sql`
        create table relay_watch_event (
          id bigint generated always as identity primary key,
          client text not null,
          service text not null,
          webhook text not null,
          kind text not null,
          receiver bigint not null,
          status text not null,
          sequence bigint not null,
          topic bytea not null,
          message text not null,
          tag bigint not null,
          attestation text not null,
          published_at bigint not null,
          created_at bigint not null,
          next_at bigint not null,
          attempts integer not null default 0,
          unique (client, service, webhook, sequence, status)
        )`.execute(database)
      await sql`create index relay_watch_event_by_webhook on relay_watch_event (webhook)`.execute(database)
      await sql`create index relay_watch_event_by_time on relay_watch_event (next_at)`.execute(database)
    },
    async down(database) {
      await sql`drop table relay_watch_event, relay_watch_topic, relay_watch, relay_identity`.execute(database)
    },
  },
}
