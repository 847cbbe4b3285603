import { sql } from 'kysely'
import type { Migrations } from '../kit/migrations.ts'
import { createAuditTable, dropAuditTable } from './audit.ts'

/** The tables of the auth service. */
export const authMigrations: Migrations = {
  '2026-11-22-auth-codes': {
    async up(database) {
      // Neither the address nor the code can be read from here: both are keyed hashes, and the key is not in the database.
      await sql`
        create table auth_code (
          id uuid primary key,
          purpose text not null,
          mailbox bytea not null,
          domain bytea not null,
          client bytea not null,
          project text not null,
          key_thumbprint text not null,
          code bytea not null,
          created_at bigint not null,
          expires_at bigint not null,
          tries smallint not null default 0,
          used_at bigint,
          void_at bigint
        )`.execute(database)
      await sql`create index auth_code_by_mailbox on auth_code (mailbox, created_at)`.execute(database)
      await sql`create index auth_code_by_client on auth_code (client, created_at)`.execute(database)
      await sql`create index auth_code_by_domain on auth_code (domain, created_at)`.execute(database)
      await sql`create index auth_code_by_project on auth_code (project, created_at)`.execute(database)
    },
    async down(database) {
      await sql`drop table auth_code`.execute(database)
    },
  },
  '2026-11-22-auth-pepper': {
    async up(database) {
      await sql`
        create table auth_pepper (
          id smallint primary key default 1 check (id = 1),
          secret bytea not null
        )`.execute(database)
    },
    async down(database) {
      await sql`drop table auth_pepper`.execute(database)
    },
  },
  '2026-11-22-auth-sessions': {
    async up(database) {
      await sql`
        create table auth_signing_key (
          id uuid primary key,
          created_at bigint not null,
          secret bytea not null
        )`.execute(database)
      await sql`
        create table auth_session (
          id uuid primary key,
          user_id text not null,
          key_thumbprint text not null,
          methods text[] not null,
          begun_at bigint not null,
          ended_at bigint
        )`.execute(database)
      await sql`create index auth_session_by_user on auth_session (user_id)`.execute(database)
      await sql`
        create table auth_refresh (
          token bytea primary key,
          session uuid not null references auth_session on delete cascade,
          created_at bigint not null,
          expires_at bigint not null,
          traded_at bigint
        )`.execute(database)
      await sql`create index auth_refresh_by_session on auth_refresh (session)`.execute(database)
      // Proofs that were used, until they are too old to be taken.
      await sql`
        create table auth_proof (
          id bytea primary key,
          expires_at bigint not null
        )`.execute(database)
      await sql`create index auth_proof_by_time on auth_proof (expires_at)`.execute(database)
    },
    async down(database) {
      await sql`drop table auth_proof, auth_refresh, auth_session, auth_signing_key`.execute(database)
    },
  },
  '2026-11-22-auth-wallets': {
    async up(database) {
      await sql`
        create table auth_user (
          id uuid primary key,
          mailbox bytea unique,
          email bytea,
          created_at bigint not null
        )`.execute(database)
      await sql`
        create table auth_key (
          key_thumbprint text not null,
          user_id uuid not null references auth_user on delete cascade,
          seen_at bigint not null,
          primary key (key_thumbprint, user_id)
        )`.execute(database)
      await sql`
        create table auth_wallet (
          user_id uuid primary key references auth_user on delete cascade,
          wallet_id bytea not null unique,
          epoch bigint not null,
          accounts text not null
        )`.execute(database)
      await sql`
        create table auth_share (
          set_id bytea primary key,
          user_id uuid not null references auth_user on delete cascade,
          wallet_id bytea not null,
          epoch bigint not null,
          key_thumbprint text not null,
          share bytea not null,
          accounts text not null,
          created_at bigint not null,
          live_at bigint
        )`.execute(database)
      await sql`create index auth_share_by_user on auth_share (user_id)`.execute(database)
    },
    async down(database) {
      await sql`drop table auth_share, auth_wallet, auth_key, auth_user`.execute(database)
    },
  },
  '2026-11-22-auth-z-accounts': {
    async up(database) {
      // Without a row here, what was sealed under it is gone: leave this table out of long backups.
      await sql`
        create table auth_data_key (
          owner text not null,
          scope text not null,
          key_id text not null,
          secret bytea not null,
          primary key (owner, scope)
        )`.execute(database)
      await sql`alter table auth_key add column since bigint not null default 0`.execute(database)
      await sql`alter table auth_wallet add column founder text, add column exported_at bigint`.execute(database)
      await sql`
        alter table auth_share
          add column used_at bigint not null default 0,
          add column browser text not null default '',
          add column origin text`.execute(database)
    },
    async down(database) {
      await sql`alter table auth_share drop column used_at, drop column browser, drop column origin`.execute(database)
      await sql`alter table auth_wallet drop column founder, drop column exported_at`.execute(database)
      await sql`alter table auth_key drop column since`.execute(database)
      await sql`drop table auth_data_key`.execute(database)
    },
  },
  '2026-11-22-auth-z-risks': {
    async up(database) {
      await createAuditTable(database, 'auth_audit')
      await sql`
        create table auth_email_change (
          id uuid primary key,
          user_id uuid not null references auth_user on delete cascade,
          key_thumbprint text not null,
          email bytea not null,
          created_at bigint not null,
          primary_code uuid,
          primary_at bigint,
          secondary_code uuid,
          done_at bigint,
          old_email bytea,
          old_mailbox bytea,
          secret bytea,
          revert_until bigint,
          reverted_at bigint
        )`.execute(database)
      await sql`
        create table auth_passkey (
          user_id uuid not null references auth_user on delete cascade,
          id bytea not null,
          public_key bytea not null,
          created_at bigint not null,
          primary key (user_id, id)
        )`.execute(database)
      await sql`
        create table auth_challenge (
          challenge bytea primary key,
          user_id uuid not null references auth_user on delete cascade,
          key_thumbprint text not null,
          expires_at bigint not null
        )`.execute(database)
      await sql`
        create table auth_oprf_secret (
          version integer primary key,
          secret bytea not null
        )`.execute(database)
      await sql`
        create table auth_oprf (
          user_id uuid primary key references auth_user on delete cascade,
          failures integer not null,
          paused_until bigint not null
        )`.execute(database)
      await sql`
        create table auth_oprf_try (
          user_id uuid not null references auth_user on delete cascade,
          at bigint not null
        )`.execute(database)
      await sql`create index auth_oprf_try_by_user on auth_oprf_try (user_id, at)`.execute(database)
      await sql`
        create table auth_deletion (
          user_id uuid primary key references auth_user on delete cascade,
          secret bytea not null,
          at bigint not null
        )`.execute(database)
    },
    async down(database) {
      await sql`drop table auth_deletion, auth_oprf_try, auth_oprf, auth_oprf_secret, auth_challenge`.execute(database)
      await sql`drop table auth_passkey, auth_email_change`.execute(database)
      await dropAuditTable(database, 'auth_audit')
    },
  },
  '2026-11-22-auth-z-settled': {
    async up(database) {
      await sql`alter table auth_share add column settled_at bigint`.execute(database)
    },
    async down(database) {
      await sql`alter table auth_share drop column settled_at`.execute(database)
    },
  },
}
