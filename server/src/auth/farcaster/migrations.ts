import { sql } from 'kysely'
import type { Migrations } from '../../kit/migrations.ts'

/** The tables of logins with Farcaster accounts, and of the relay to their applications. */
export const farcasterMigrations: Migrations = {
  '2026-11-22-farcaster': {
    async up(database) {
      // Known by the hash of its token, which is in the link that people are shown.
      await sql`
        create table auth_channel (
          token bytea primary key,
          asked text not null,
          answer text,
          expires_at bigint not null
        )`.execute(database)
      await sql`create index auth_channel_by_time on auth_channel (expires_at)`.execute(database)
      await sql`
        create table auth_farcaster (
          id uuid primary key,
          key_thumbprint text not null,
          nonce text not null,
          channel bytea not null,
          expires_at bigint not null,
          redeemed_at bigint
        )`.execute(database)
      await sql`create index auth_farcaster_by_time on auth_farcaster (expires_at)`.execute(database)
    },
    async down(database) {
      await sql`drop table auth_farcaster, auth_channel`.execute(database)
    },
  },
}
