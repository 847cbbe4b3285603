import { sql } from 'kysely'
import type { Migrations } from '../kit/migrations.ts'

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
}
