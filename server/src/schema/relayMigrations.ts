import { sql } from 'kysely'
import type { Migrations } from '../kit/database/migrations.ts'
import { createRelayPush, dropRelayPush } from './createRelayPush.ts'
import { createRelayUsage } from './createRelayUsage.ts'
import { createStoredBytes } from './createStoredBytes.ts'
import { createUsageMark } from './createUsageMark.ts'

/** The tables of the relay: stored messages, the bridge to another relay, and the webhooks of watching services. */
export const relayMigrations: Migrations = {
  '001-relay-mailbox': {
    async up(database) {
      // Few, narrow indexes keep publishing fast. A receipt takes 16 bytes.
      await sql`
        create table relay_message (
          sequence bigint generated always as identity primary key,
          topic bytea not null,
          digest bytea not null,
          message text not null,
          tag bigint not null,
          attestation text not null,
          publisher text not null,
          published_at bigint not null,
          expires_at bigint not null,
          origin text not null default '',
          unique (topic, digest)
        )`.execute(database)
      await sql`create index relay_message_by_expiry on relay_message (expires_at)`.execute(database)
      await sql`
        create table relay_acknowledgement (
          sequence bigint not null,
          receiver bigint not null,
          primary key (sequence, receiver)
        )`.execute(database)
    },
  },
  '002-relay-bridge': {
    async up(database) {
      // A single row: all processes of this relay are one client of the upstream relay.
      await sql`
        create table relay_bridge (
          id smallint primary key default 1 check (id = 1),
          secret bytea not null
        )`.execute(database)
    },
  },
  '003-relay-watches': {
    async up(database) {
      // A single row: all processes of this relay sign with the same key.
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
      // Topics of watched clients, kept while the clients are offline.
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
  },
  '004-relay-usage': { up: createRelayUsage },
  '005-relay-stored-bytes': { up: createStoredBytes },
  '006-relay-usage-mark': { up: createUsageMark },
  '007-relay-push': {
    up: createRelayPush,
    down: dropRelayPush,
    loses: 'the registrations of the push gateway and its key, so that wallets have to subscribe again',
  },
  '008-relay-watch-topics': {
    async up(database) {
      // Each subscription of a watched client counts those that it has.
      await sql`create index relay_watch_topic_by_client on relay_watch_topic (client)`.execute(database)
    },
    async down(database) {
      await sql`drop index relay_watch_topic_by_client`.execute(database)
    },
  },
}
