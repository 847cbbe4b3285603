import { sql } from 'kysely'
import type { Migrations } from '../kit/migrations.ts'

/** The tables of the data service that are not the index. */
export const apiMigrations: Migrations = {
  '2026-11-22-api': {
    async up(database) {
      await sql`
        create table api_secret (
          one boolean primary key default true check (one),
          secret bytea not null
        )`.execute(database)
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
    async down(database) {
      await sql`drop table smart_session, api_secret`.execute(database)
    },
  },
}
