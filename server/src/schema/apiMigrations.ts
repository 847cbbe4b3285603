import { sql } from 'kysely'
import type { Migrations } from '../kit/database/migrations.ts'

/** The tables of the data API, except those of the index. */
export const apiMigrations: Migrations = {
  '001-api-cursor-secret': {
    async up(database) {
      await sql`
        create table api_secret (
          one boolean primary key default true check (one),
          secret bytea not null
        )`.execute(database)
    },
  },
  '002-api-smart-sessions': {
    async up(database) {
      await sql`
        create table smart_session (
          pci uuid primary key,
          account text not null,
          project text not null,
          public_key text not null,
          sealed_key bytea not null,
          expiry bigint not null,
          signer json not null,
          permissions json not null,
          policies json not null,
          context text,
          created_at bigint not null,
          revoked_at bigint
        )`.execute(database)
      await sql`create index smart_session_account on smart_session (account, created_at desc)`.execute(database)
    },
  },
  '003-api-paymaster-spending': {
    async up(database) {
      await sql`
        create table paymaster_spending (
          day integer not null,
          chain text not null,
          scope text not null,
          spent numeric not null,
          primary key (day, chain, scope)
        )`.execute(database)
    },
  },
  '004-api-spam-reports': {
    async up(database) {
      await sql`
        create table spam_report (
          chain text not null,
          asset text not null,
          project text not null,
          reporter bytea not null,
          reported_at bigint not null,
          primary key (chain, asset, project, reporter)
        )`.execute(database)
      await sql`create index spam_report_reporter on spam_report (reporter, reported_at)`.execute(database)
      await sql`create index spam_report_time on spam_report (reported_at)`.execute(database)
    },
  },
}
