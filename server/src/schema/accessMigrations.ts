import { sql } from 'kysely'
import type { Migrations } from '../kit/database/migrations.ts'

/**
 * Projects and bans that the operator changes while the server runs. Every change, including one by hand, raises the
 * version and notifies the processes that listen.
 */
export const accessMigrations: Migrations = {
  '001-access': {
    async up(database) {
      // A removed project keeps its row, which overrides the configuration.
      await sql`
        create table access_project (
          id text primary key,
          origins text[] not null,
          is_allowed boolean not null
        )`.execute(database)
      await sql`
        create table access_ban (
          subject text primary key,
          created_at timestamptz not null default now()
        )`.execute(database)
      await sql`
        create table access_version (
          id smallint primary key default 1 check (id = 1),
          version bigint not null
        )`.execute(database)
      await sql`insert into access_version (version) values (1)`.execute(database)
      await sql`
        create function access_changed() returns trigger language plpgsql as $$
        begin
          update access_version set version = version + 1;
          notify latchkey_access;
          return null;
        end $$`.execute(database)
      for (const table of ['access_project', 'access_ban']) {
        await sql`
          create trigger access_changed after insert or update or delete or truncate on ${sql.id(table)}
          for each statement execute function access_changed()`.execute(database)
      }
    },
  },
}
