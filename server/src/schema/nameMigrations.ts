import { sql } from 'kysely'
import type { Migrations } from '../kit/database/migrations.ts'

/** The tables of registered names. Times are milliseconds. */
export const nameMigrations: Migrations = {
  '001-names': {
    async up(database) {
      await sql`
        create table name (
          name text primary key,
          owner text not null,
          registered_at bigint not null,
          updated_at bigint,
          attributes jsonb
        )`.execute(database)
      await sql`create index name_by_owner on name (owner, registered_at)`.execute(database)
      await sql`
        create table name_address (
          name text not null references name (name),
          coin_type bigint not null,
          namespace text not null,
          address text not null,
          created_at bigint not null,
          primary key (name, coin_type)
        )`.execute(database)
      // Hashes of used messages, kept as long as a message stays valid, so that none is accepted twice.
      await sql`
        create table name_message (
          hash bytea primary key,
          used_at bigint not null
        )`.execute(database)
    },
  },
}
