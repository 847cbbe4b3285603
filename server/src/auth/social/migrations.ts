import { sql } from 'kysely'
import type { Migrations } from '../../kit/migrations.ts'

/** The tables of logins at providers. They come after those of the auth service. */
export const socialMigrations: Migrations = {
  '2026-11-22-social': {
    async up(database) {
      // The subject is a keyed hash: the table does not tell whose account it is.
      await sql`
        create table auth_identity (
          provider text not null,
          subject bytea not null,
          user_id uuid not null unique references auth_user on delete cascade,
          name bytea,
          created_at bigint not null,
          primary key (provider, subject)
        )`.execute(database)
      // One row per attempt, for minutes. The answer and the secrets of it are sealed.
      await sql`
        create table auth_social (
          id uuid primary key,
          provider text not null,
          state bytea not null unique,
          key_thumbprint text not null,
          origin text not null,
          browser text not null,
          client bytea not null,
          secrets bytea not null,
          match text not null,
          tries smallint not null default 0,
          created_at bigint not null,
          expires_at bigint not null,
          used_at bigint,
          page bytea,
          answer bytea,
          problem text,
          done_at bigint,
          redeemed_at bigint
        )`.execute(database)
      await sql`create index auth_social_by_time on auth_social (expires_at)`.execute(database)
    },
    async down(database) {
      await sql`drop table auth_social, auth_identity`.execute(database)
    },
  },
}
