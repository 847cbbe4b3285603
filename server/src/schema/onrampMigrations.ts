import { sql } from 'kysely'
import type { Migrations } from '../kit/database/migrations.ts'

/** The purchases of the on-ramp sandbox. Card numbers are never stored. Times are milliseconds. */
export const onrampMigrations: Migrations = {
  '001-onramp-sandbox': {
    async up(database) {
      await sql`
        create table onramp_purchase (
          id text primary key,
          page text not null unique,
          chain text not null,
          token text not null,
          symbol text not null,
          decimals integer not null,
          receiver text not null,
          currency text not null,
          cents bigint not null,
          rate text not null,
          status text not null,
          method text,
          decline text,
          tries integer not null default 0,
          units numeric(78),
          nonce bigint,
          raw text,
          hash text,
          created_at bigint not null
        )`.execute(database)
      // Two pending transactions never share a nonce.
      await sql`create unique index onramp_purchase_by_nonce on onramp_purchase (chain, nonce)`.execute(database)
      await sql`create index onramp_purchase_by_status on onramp_purchase (status, created_at)`.execute(database)
    },
  },
}
