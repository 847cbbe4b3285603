import { sql } from 'kysely'
import type { Migrations } from '../kit/migrations.ts'

/** The table of devices that were approved by who their user is elsewhere. */
export const identityMigrations: Migrations = {
  '2026-11-22-share-identity': {
    async up(database) {
      // The contact is a keyed hash of the account, or of the mailbox.
      await sql`
        create table share_identity (
          user_id text not null,
          key_thumbprint text not null,
          contact bytea not null,
          approved_at bigint not null,
          primary key (user_id, key_thumbprint)
        )`.execute(database)
    },
    async down(database) {
      await sql`drop table share_identity`.execute(database)
    },
  },
}
