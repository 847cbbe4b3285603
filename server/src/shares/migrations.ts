import { sql } from 'kysely'
import type { Migrations } from '../kit/migrations.ts'

/** The tables of the share store. It knows users by the ids of the auth service, and nothing of their mail or keys. */
export const shareMigrations: Migrations = {
  '2026-11-22-shares': {
    async up(database) {
      await sql`
        create table share_wallet (
          user_id text primary key,
          wallet_id bytea not null unique,
          epoch bigint not null,
          vault bytea not null,
          created_at bigint not null
        )`.execute(database)
      // Live once it is said that everything else is in its place; drafts are swept.
      await sql`
        create table share_set (
          set_id bytea primary key,
          user_id text not null,
          wallet_id bytea not null,
          epoch bigint not null,
          key_thumbprint text not null,
          share bytea not null,
          vault bytea,
          created_at bigint not null,
          live_at bigint,
          used_at bigint not null
        )`.execute(database)
      await sql`create index share_set_by_user on share_set (user_id)`.execute(database)
      await sql`create index share_set_drafts on share_set (created_at) where live_at is null`.execute(database)
      await sql`
        create table share_wrap (
          wallet_id bytea not null,
          set_id bytea not null,
          id text not null,
          method text not null,
          wrapped bytea not null,
          facts text not null,
          created_at bigint not null,
          live_at bigint,
          primary key (wallet_id, id, set_id)
        )`.execute(database)
      // Which mailbox a user's devices are approved by, as a keyed hash: the login service cannot send it elsewhere.
      await sql`
        create table share_contact (
          user_id text primary key,
          mailbox bytea not null
        )`.execute(database)
      await sql`
        create table share_link (
          id uuid primary key,
          secret bytea not null,
          match text not null,
          mailbox bytea not null,
          client bytea not null,
          key_thumbprint text not null,
          origin text not null,
          browser text not null,
          created_at bigint not null,
          expires_at bigint not null,
          tries smallint not null default 0,
          approved_at bigint
        )`.execute(database)
      await sql`create index share_link_by_mailbox on share_link (mailbox, created_at)`.execute(database)
      await sql`create index share_link_by_client on share_link (client, created_at)`.execute(database)
      await sql`create index share_link_by_key on share_link (key_thumbprint)`.execute(database)
      await sql`
        create table share_proof (
          id bytea primary key,
          expires_at bigint not null
        )`.execute(database)
      await sql`
        create table share_pepper (
          id smallint primary key default 1 check (id = 1),
          secret bytea not null
        )`.execute(database)
    },
    async down(database) {
      await sql`drop table share_pepper, share_proof, share_link, share_contact, share_wrap, share_set, share_wallet`.execute(
        database,
      )
    },
  },
}
