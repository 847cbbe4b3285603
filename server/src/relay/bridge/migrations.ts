import { sql } from 'kysely'
import type { Migrations } from '../../kit/migrations.ts'

/** The table of the bridge. */
export const bridgeMigrations: Migrations = {
  '2026-11-22-relay-bridge': {
    async up(database) {
      // One row: all processes of this relay are one client of the other.
      await sql`
        create table relay_bridge (
          id smallint primary key default 1 check (id = 1),
          secret bytea not null
        )`.execute(database)
    },
    async down(database) {
      await sql`drop table relay_bridge`.execute(database)
    },
  },
}
