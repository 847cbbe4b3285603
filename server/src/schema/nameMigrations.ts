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
  '002-proofs': {
    async up(database) {
      await sql`
        alter table name
          add column signer text check (signer in ('key', 'contract')),
          add column proof_coin_type bigint`.execute(database)
      // Names of earlier versions have no known signer. Keys can change them as before. A contract can only on the chain
      // of the registration, which is known if one record of a chain is as old as the name: a changed record is younger.
      // Mainnet proves nothing, because every name got a record for it.
      await sql`
        update name n set proof_coin_type = a.coin_type
        from name_address a
        where a.name = n.name and a.coin_type <> 60 and a.created_at = n.registered_at
          and lower(a.address) = n.owner`.execute(database)
    },
  },
  '003-terms': {
    async up(database) {
      await sql`
        alter table name
          add column expires_at bigint,
          add column released_at bigint,
          add column offered_to text,
          add column offered_coin_type bigint,
          add column offered_until bigint`.execute(database)
      // Earlier names start their first term now.
      await sql`
        update name set expires_at = (extract(epoch from now()) * 1000)::bigint + 31536000000`.execute(database)
      await sql`alter table name alter column expires_at set not null`.execute(database)
      await sql`create index name_by_offer on name (offered_to) where offered_to is not null`.execute(database)
    },
  },
}
