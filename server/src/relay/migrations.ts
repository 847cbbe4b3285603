import { sql } from 'kysely'
import type { Migrations } from '../kit/migrations.ts'
import { bridgeMigrations } from './bridge/migrations.ts'
import { watchMigrations } from './watches/migrations.ts'

/** The tables of the relay. */
export const relayMigrations: Migrations = {
  '2026-11-21-relay-mailbox': {
    async up(database) {
      await sql`
        create table relay_message (
          sequence bigint generated always as identity primary key,
          topic text not null,
          digest bytea not null,
          message text not null,
          tag bigint not null,
          attestation text not null,
          publisher text not null,
          published_at bigint not null,
          expires_at bigint not null,
          unique (topic, digest)
        )`.execute(database)
      await sql`create index relay_message_by_topic on relay_message (topic, sequence)`.execute(database)
      await sql`create index relay_message_by_expiry on relay_message (expires_at)`.execute(database)
      await sql`
        create table relay_acknowledgement (
          sequence bigint not null,
          client text not null,
          acknowledged_at bigint not null,
          primary key (sequence, client)
        )`.execute(database)
      await sql`create index relay_acknowledgement_by_time on relay_acknowledgement (acknowledged_at)`.execute(database)
    },
    async down(database) {
      await sql`drop table relay_acknowledgement, relay_message`.execute(database)
    },
  },
  '2026-11-21-relay-waiting': {
    async up(database) {
      // Messages that nobody acknowledged: counting them must not cost more the more a topic has carried.
      await sql`
        create table relay_waiting (
          sequence bigint primary key,
          topic text not null,
          bytes integer not null,
          expires_at bigint not null
        )`.execute(database)
      await sql`create index relay_waiting_by_topic on relay_waiting (topic)`.execute(database)
    },
    async down(database) {
      await sql`drop table relay_waiting`.execute(database)
    },
  },
  '2026-11-21b-relay-letters': {
    async up(database) {
      // Fewer and narrower indexes: a message is written once, a receipt is sixteen bytes.
      await sql`
        create table relay_letter (
          sequence bigint generated always as identity primary key,
          topic bytea not null,
          digest bytea not null,
          message text not null,
          tag bigint not null,
          attestation text not null,
          publisher text not null,
          published_at bigint not null,
          expires_at bigint not null,
          unique (topic, digest)
        )`.execute(database)
      await sql`create index relay_letter_by_expiry on relay_letter (expires_at)`.execute(database)
      await sql`
        create table relay_receipt (
          sequence bigint not null,
          receiver bigint not null,
          primary key (sequence, receiver)
        )`.execute(database)
      await sql`
        insert into relay_letter (
          sequence, topic, digest, message, tag, attestation, publisher, published_at, expires_at
        ) overriding system value
        select sequence, decode(topic, 'hex'), digest, message, tag, attestation, publisher, published_at, expires_at
        from relay_message order by sequence`.execute(database)
      await sql`
        select setval(pg_get_serial_sequence('relay_letter', 'sequence'), max(sequence)) from relay_letter`.execute(
        database,
      )
      await sql`
        insert into relay_receipt (sequence, receiver)
        select sequence, ('x' || left(encode(sha256(client::bytea), 'hex'), 16))::bit(64)::bigint
        from relay_acknowledgement join relay_letter using (sequence)
        on conflict do nothing`.execute(database)
      await sql`drop table relay_waiting, relay_acknowledgement, relay_message`.execute(database)
    },
  },
  ...bridgeMigrations,
  ...watchMigrations,
  '2026-11-23-relay-origin': {
    async up(database) {
      await sql`alter table relay_letter add column origin text not null default ''`.execute(database)
    },
    async down(database) {
      await sql`alter table relay_letter drop column origin`.execute(database)
    },
  },
}
