import { sql } from 'kysely'
import { createAuditTable, dropAuditTable } from '../auth/audit.ts'
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
  '2026-11-22-shares-epochs': {
    async up(database) {
      // Without a row here, what was sealed under it is gone: leave this table out of long backups.
      await sql`
        create table share_data_key (
          owner text not null,
          scope text not null,
          key_id text not null,
          secret bytea not null,
          primary key (owner, scope)
        )`.execute(database)
      // Devices that brought a part themselves: they need nobody's approval, also after a new epoch took their part away.
      await sql`
        create table share_device (
          user_id text not null,
          key_thumbprint text not null,
          since bigint not null,
          seen_at bigint not null,
          founder boolean not null,
          primary key (user_id, key_thumbprint)
        )`.execute(database)
      await sql`
        create table share_auto (
          user_id text primary key,
          secret bytea not null
        )`.execute(database)
      await sql`alter table share_contact add column next bytea, add column asked_at bigint`.execute(database)
      await sql`
        create table share_deletion (
          user_id text primary key,
          at bigint not null
        )`.execute(database)
      await createAuditTable(database, 'share_audit')
    },
    async down(database) {
      await dropAuditTable(database, 'share_audit')
      await sql`alter table share_contact drop column next, drop column asked_at`.execute(database)
      await sql`drop table share_deletion, share_auto, share_device, share_data_key`.execute(database)
    },
  },
}
