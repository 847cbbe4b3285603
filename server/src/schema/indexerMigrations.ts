import { sql } from 'kysely'
import type { Migrations } from '../kit/database/migrations.ts'

/** The tables of the indexer. Addresses and hashes are bytes, amounts are whole numbers of base units. */
export const indexerMigrations: Migrations = {
  '001-index-chains': {
    async up(database) {
      await sql`
        create table index_chain (
          chain integer generated always as identity primary key,
          caip text not null unique,
          first_block bigint not null,
          head bigint not null,
          target bigint not null,
          leader text not null default '',
          leads_until bigint not null default 0
        )`.execute(database)
      await sql`
        create table index_block (
          chain integer not null,
          block bigint not null,
          hash bytea not null,
          primary key (chain, block)
        )`.execute(database)
    },
  },
  '002-index-transfers': {
    async up(database) {
      await sql`
        create table index_transaction (
          chain integer not null,
          block bigint not null,
          position integer not null,
          hash bytea not null,
          mined_at bigint not null,
          sender bytea not null,
          receiver bytea,
          created bytea,
          value numeric(78) not null,
          nonce bigint not null,
          method bytea,
          succeeded boolean not null,
          primary key (chain, block, position)
        )`.execute(database)
      await sql`
        create table index_transfer (
          chain integer not null,
          block bigint not null,
          position integer not null,
          ordinal integer not null,
          kind smallint not null,
          token bytea not null,
          sender bytea not null,
          receiver bytea not null,
          token_id numeric(78),
          amount numeric(78) not null,
          primary key (chain, block, position, ordinal)
        )`.execute(database)
      await sql`
        create table index_activity (
          address bytea not null,
          mined_at bigint not null,
          chain integer not null,
          block bigint not null,
          position integer not null,
          primary key (address, mined_at, chain, block, position)
        )`.execute(database)
      // A reorg deletes activity by block.
      await sql`create index index_activity_by_block on index_activity (chain, block)`.execute(database)
      await sql`
        create table index_holding (
          address bytea not null,
          chain integer not null,
          token bytea not null,
          kind smallint not null,
          token_id numeric(78) not null,
          primary key (address, chain, token, kind, token_id)
        )`.execute(database)
    },
  },
  '003-index-token-metadata': {
    async up(database) {
      // Metadata that the contracts report.
      await sql`
        create table index_token (
          chain integer not null,
          token bytea not null,
          name text,
          symbol text,
          decimals integer,
          read_at bigint not null,
          primary key (chain, token)
        )`.execute(database)
      await sql`
        create table index_nft (
          chain integer not null,
          token bytea not null,
          token_id numeric(78) not null,
          name text,
          picture text,
          content_type text,
          read_at bigint not null,
          primary key (chain, token, token_id)
        )`.execute(database)
    },
  },
  '004-index-terms': {
    async up(database) {
      // The fencing token of the lease.
      await sql`alter table index_chain add column term bigint not null default 0`.execute(database)
    },
  },
  '005-index-holding-ranks': {
    async up(database) {
      // The first block with the token, and whether the holder signed a transaction in which it received the token.
      await sql`
        alter table index_holding
          add column block bigint not null default 0,
          add column signed boolean not null default false`.execute(database)
    },
  },
  '006-index-activity-by-chain': {
    async up(database) {
      await sql`
        create index index_activity_by_chain on index_activity (address, chain, mined_at, block, position)
      `.execute(database)
    },
  },
  '007-index-since': {
    async up(database) {
      // The time of the first block. Of an index without it, the time of the first transaction.
      await sql`alter table index_chain add column since bigint`.execute(database)
      await sql`
        update index_chain set since = (
          select mined_at from index_transaction as each where each.chain = index_chain.chain order by block limit 1
        )`.execute(database)
    },
  },
  '008-index-activity-key': {
    async up(database) {
      // One index instead of three: inserting at random places of an index takes most of the time of indexing.
      await sql`drop index index_activity_by_block, index_activity_by_chain`.execute(database)
      await sql`
        alter table index_activity
          drop constraint index_activity_pkey,
          add primary key (address, chain, mined_at, block, position)`.execute(database)
    },
  },
  '009-index-addresses': {
    async up(database) {
      // The addresses that clients requested, of chains that index only these.
      await sql`
        create table index_address (
          chain integer not null,
          address bytea not null,
          requested_at bigint not null,
          followed boolean not null default false,
          gap_from bigint,
          gap_to bigint,
          transactions integer not null default 0,
          pages integer not null default 0,
          retry_at bigint not null default 0,
          primary key (chain, address)
        )`.execute(database)
      await sql`create index index_address_new on index_address (chain) where not followed`.execute(database)
      await sql`
        create index index_address_by_gap on index_address (chain, pages, requested_at desc) where gap_to is not null
      `.execute(database)
      await sql`create index index_address_by_request on index_address (chain, requested_at)`.execute(database)
      await sql`create index index_address_by_size on index_address (chain, transactions)`.execute(database)
      await sql`alter table index_chain add column addresses integer not null default 0`.execute(database)
    },
  },
  '010-index-history-place': {
    async up(database) {
      // Has a row if the transactions are not in this database, so that no server starts with the other store by mistake.
      await sql`create table index_history_place (place text primary key)`.execute(database)
    },
  },
  '011-index-holding-ranks': {
    async up(database) {
      // Strangers can send any number of tokens to an address. Each holding is in one of both indexes.
      await sql`
        create index index_holding_tokens on index_holding (address, chain, signed desc, block, token) where kind = 1
      `.execute(database)
      await sql`
        create index index_holding_nfts on index_holding (address, chain, token, kind, token_id) where kind <> 1
      `.execute(database)
    },
    async down(database) {
      await sql`drop index index_holding_tokens, index_holding_nfts`.execute(database)
    },
  },
}
