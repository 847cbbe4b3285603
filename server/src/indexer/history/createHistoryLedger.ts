import type { Database } from '../../kit/database/database.ts'
import type { Block, Hex } from '../block.ts'
import {
  encodeActivity,
  encodeBlockHashes,
  encodeHoldings,
  encodeTransactions,
  encodeTransfers,
} from '../encodeBlocks.ts'
import { createStoredHoldings, getHoldings } from '../getHoldings.ts'
import type { IndexPosition } from '../indexStore.ts'
import type { AddBlocksOptions, AddressGap, Writer } from './historyStore.ts'
import { ownChain } from './ownChain.ts'
import { toBytea } from './toBytea.ts'

/** Blocks, and those of them whose transactions are stored in PostgreSQL. */
export type LedgerBlocks = { blocks: readonly Block[]; stored: readonly Block[] }

/**
 * The part of every history store that is in PostgreSQL: heads, terms, hashes of blocks, gaps of addresses, and holdings.
 * Each method is one statement, so that it is atomic, and changes nothing if the term is over.
 */
export type HistoryLedger = {
  add(position: IndexPosition, blocks: LedgerBlocks, options: AddBlocksOptions): Promise<boolean>
  rewind(position: IndexPosition, to: number): Promise<boolean>
  addFound(writer: Writer, gap: AddressGap, found: LedgerBlocks & { below: number }): Promise<boolean>
  forgetHashes(writer: Writer, below: number): Promise<void>
  /**
   * Notes that only the newest transactions of an address are kept. Its gap then reaches up to `last`.
   *
   * @returns false if the term is over
   */
  trim(writer: Writer, address: Hex, limit: { maxTransactions: number; first: number; last: number }): Promise<boolean>
  /** Lists the hashes of blocks, from the lowest. */
  listHashes(
    chain: number,
    range: { from: number; below: number; limit: number },
  ): Promise<readonly { block: number; hash: Hex }[]>
  /**
   * Checks that a writer may add transactions of these blocks.
   *
   * @returns false if the term is over
   * @throws Error if the index has another block at the same height
   */
  ownsBlocks(writer: Writer, blocks: readonly Pick<Block, 'number' | 'hash'>[]): Promise<boolean>
  /**
   * Finds the rows that readers may see: their block is not above the head, and no other block of its height is known.
   *
   * @returns the indexes of the visible rows
   */
  filterVisible(rows: readonly BlockReference[]): Promise<ReadonlySet<number>>
}

/** The block of a row. */
export type BlockReference = { chain: number; block: number; hash: Hex }

/** Creates the ledger on the server's database. */
export function createHistoryLedger(database: Database): HistoryLedger {
  const storedHoldings = createStoredHoldings()
  return {
    async add({ chain, term }, { blocks, stored }, { target, holders }) {
      const [first, last] = [blocks[0], blocks.at(-1)]
      if (first === undefined || last === undefined) return true
      const holdings = storedHoldings.filterNew(chain, getHoldings(blocks, holders))
      const moved = await database.run('index-add', addBlocks, [
        chain,
        target,
        term,
        first.number,
        last.number,
        first.minedAt,
        ...encodeBlockHashes(blocks),
        ...encodeTransactions(stored),
        ...encodeTransfers(stored),
        ...encodeActivity(stored),
        ...encodeHoldings(holdings),
      ])
      const isStored = moved.length === 1
      // A reorg keeps holdings. Those of requested addresses are deleted with the address.
      if (isStored && holders === undefined) storedHoldings.add(chain, holdings)
      return isStored
    },
    async rewind({ chain, term }, to) {
      return (await database.run('index-rewind', rewindTo, [chain, to, term])).length === 1
    },
    async addFound({ chain, term }, { address }, { blocks, stored, below }) {
      const filled = await database.run('address-fill', fillGap, [
        chain,
        term,
        toBytea(address),
        below,
        ...encodeTransactions(stored),
        ...encodeTransfers(stored),
        ...encodeActivity(stored),
        ...encodeHoldings(getHoldings(blocks, new Set([address]))),
        countActivity(blocks),
        ...encodeBlockHashes(blocks),
      ])
      return filled.length === 1
    },
    async forgetHashes({ chain, term }, below) {
      await database.run('address-hashes', deleteHashes, [chain, term, below])
    },
    ...createLedgerReads(database),
  }
}

type LedgerReads = Pick<HistoryLedger, 'trim' | 'listHashes' | 'ownsBlocks' | 'filterVisible'>

/** The reads of a store that keeps its rows elsewhere. */
function createLedgerReads(database: Database): LedgerReads {
  return {
    async trim({ chain, term }, address, { maxTransactions, first, last }) {
      const values = [chain, term, toBytea(address), maxTransactions, first, last]
      return (await database.run('ledger-trim', trimTo, values)).length === 1
    },
    listHashes: (chain, { from, below, limit }) =>
      database.run<{ block: number; hash: Hex }>('ledger-hashes', selectHashes, [chain, from, below, limit]),
    async ownsBlocks({ chain, term }, blocks) {
      const values = [chain, term, blocks.map(({ number }) => number), blocks.map(({ hash }) => hash.slice(2))]
      const [row] = await database.run<{ differs: boolean }>('ledger-owns', selectDifferent, values)
      if (row?.differs === true) throw new Error('The node has another block than the index.')
      return row !== undefined
    },
    async filterVisible(rows) {
      if (rows.length === 0) return new Set()
      const [chains, blocks] = [rows.map(({ chain }) => chain), rows.map(({ block }) => block)]
      const values = [chains, blocks, rows.map(({ hash }) => hash.slice(2))]
      const visible = await database.run<{ index: number }>('ledger-visible', selectVisible, values)
      return new Set(visible.map(({ index }) => index))
    },
  }
}

function countActivity(blocks: readonly Block[]): number {
  let count = 0
  for (const { transactions } of blocks) for (const { touched } of transactions) count += touched.length
  return count
}

/** A single statement is atomic and saves a round trip per table. Every part depends on the head and the term being unchanged. */
const addBlocks = `
  with moved as (
    update index_chain set head = $5, target = $2, since = case when first_block = $4 then $6::bigint else since end
    where chain = $1 and head = $4::bigint - 1 and term = $3
    returning chain
  ), blocks as (
    insert into index_block (chain, block, hash)
    select moved.chain, row.* from moved, unnest($7::bigint[], $8::bytea[]) as row
  ), transactions as (
    insert into index_transaction (
      chain, block, position, hash, mined_at, sender, receiver, created, value, nonce, method, succeeded
    )
    select moved.chain, row.* from moved, unnest(
      $9::bigint[], $10::int[], $11::bytea[], $12::bigint[], $13::bytea[], $14::bytea[], $15::bytea[], $16::numeric[],
      $17::bigint[], $18::bytea[], $19::boolean[]
    ) as row
  ), transfers as (
    insert into index_transfer (chain, block, position, ordinal, kind, token, sender, receiver, token_id, amount)
    select moved.chain, row.* from moved, unnest(
      $20::bigint[], $21::int[], $22::int[], $23::smallint[], $24::bytea[], $25::bytea[], $26::bytea[], $27::numeric[],
      $28::numeric[]
    ) as row
  ), activities as (
    insert into index_activity (chain, address, mined_at, block, position)
    select moved.chain, row.* from moved, unnest($29::bytea[], $30::bigint[], $31::bigint[], $32::int[]) as row
  ), holdings as (
    insert into index_holding (chain, address, token, kind, token_id, block, signed)
    select moved.chain, row.* from moved, unnest(
      $33::bytea[], $34::bytea[], $35::smallint[], $36::numeric[], $37::bigint[], $38::boolean[]
    ) as row
    on conflict (address, chain, token, kind, token_id) do update set signed = true
    where excluded.signed and not index_holding.signed
  )
  select chain from moved`

/**
 * Activity is found by the addresses of the deleted transactions, so that it needs only one index. Holdings are kept,
 * because they only say which balances to read.
 */
const rewindTo = `
  with own as (
    update index_chain set head = least(head, $2) where chain = $1 and term = $3 returning chain
  ), parties as (
    select mined_at, block, position, party
    from index_transaction, unnest(array[sender, receiver, created]) as party
    where chain = $1 and block > $2
    union
    select mined_at, block, position, party
    from index_transaction as own join index_transfer as each using (chain, block, position),
      unnest(array[each.sender, each.receiver]) as party
    where own.chain = $1 and own.block > $2
  ), activities as (
    delete from index_activity as activity using own, parties
    where activity.address = party and activity.chain = own.chain and activity.mined_at = parties.mined_at
      and activity.block = parties.block and activity.position = parties.position
  ), gaps as (
    update index_address as each set
      gap_to = case when gap_from <= $2 then $2 end, gap_from = case when gap_from <= $2 then gap_from end
    from own where each.chain = own.chain and gap_to > $2
  ),
  blocks as (delete from index_block where chain = (select chain from own) and block > $2),
  transactions as (delete from index_transaction where chain = (select chain from own) and block > $2),
  transfers as (delete from index_transfer where chain = (select chain from own) and block > $2)
  select chain from own`

/** The number of blocks of a chain with requested addresses whose hashes are kept to recognise a reorg. */
export const reorgDepth = 256

/** Recent blocks may still be replaced, so that their hashes are kept like those of blocks that were indexed in order. */
const fillGap = `
  with ${ownChain}, filled as (
    update index_address as each set
      gap_to = case when gap_from < $4::bigint then $4::bigint - 1 end,
      gap_from = case when gap_from < $4::bigint then gap_from end,
      pages = pages + 1, retry_at = 0, transactions = transactions + $35::int
    from own where each.chain = own.chain and address = $3 returning each.chain
  ), transactions as (
    insert into index_transaction (
      chain, block, position, hash, mined_at, sender, receiver, created, value, nonce, method, succeeded
    )
    select filled.chain, row.* from filled, unnest(
      $5::bigint[], $6::int[], $7::bytea[], $8::bigint[], $9::bytea[], $10::bytea[], $11::bytea[], $12::numeric[],
      $13::bigint[], $14::bytea[], $15::boolean[]
    ) as row on conflict do nothing
  ), transfers as (
    insert into index_transfer (chain, block, position, ordinal, kind, token, sender, receiver, token_id, amount)
    select filled.chain, row.* from filled, unnest(
      $16::bigint[], $17::int[], $18::int[], $19::smallint[], $20::bytea[], $21::bytea[], $22::bytea[], $23::numeric[],
      $24::numeric[]
    ) as row on conflict do nothing
  ), activities as (
    insert into index_activity (chain, address, mined_at, block, position)
    select filled.chain, row.* from filled, unnest($25::bytea[], $26::bigint[], $27::bigint[], $28::int[]) as row
    on conflict do nothing
  ), holdings as (
    insert into index_holding (chain, address, token, kind, token_id, block, signed)
    select filled.chain, row.* from filled, unnest(
      $29::bytea[], $30::bytea[], $31::smallint[], $32::numeric[], $33::bigint[], $34::boolean[]
    ) as row
    on conflict (address, chain, token, kind, token_id) do update set
      signed = index_holding.signed or excluded.signed, block = least(index_holding.block, excluded.block)
  ), hashes as (
    insert into index_block (chain, block, hash)
    select filled.chain, row.* from filled, own, unnest($36::bigint[], $37::bytea[]) as row(block, hash)
    where row.block > own.head - ${reorgDepth} on conflict do nothing
  )
  select chain from filled`

const deleteHashes = `
  with ${ownChain}
  delete from index_block using own where index_block.chain = own.chain and block < $3`

/** The statement of a reorg: chain, last block to keep, term. */
export function getRewindStatement(): string {
  return rewindTo
}

const trimTo = `
  with ${ownChain}
  update index_address as each set transactions = $4, gap_from = coalesce(gap_from, $5), gap_to = $6
  from own where each.chain = own.chain and address = $3
  returning each.chain`

const selectHashes = `
  select block, '0x' || encode(hash, 'hex') as hash from index_block
  where chain = $1 and block >= $2 and block < $3 order by block limit $4`

const selectDifferent = `
  select exists (
    select from unnest($3::bigint[], $4::text[]) as found(block, hash)
    join index_block as known on known.chain = $1 and known.block = found.block
    where known.hash <> decode(found.hash, 'hex')
  ) as differs from index_chain where chain = $1 and term = $2`

const selectVisible = `
  select found.row::int - 1 as index
  from unnest($1::int[], $2::bigint[], $3::text[]) with ordinality as found(chain, block, hash, row)
  join index_chain as own on own.chain = found.chain and found.block <= own.head
  left join index_block as known on known.chain = found.chain and known.block = found.block
  where known.hash is null or known.hash = decode(found.hash, 'hex')`

/** The statement that finds visible rows, whose plan a test reads: chains, blocks, hashes. */
export function getVisibleStatement(): string {
  return selectVisible
}
