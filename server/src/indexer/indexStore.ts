import type { Database } from '../kit/database/database.ts'
import type { TableRow } from '../schema/tableRow.ts'
import type { Block, Hex } from './block.ts'
import {
  encodeActivity,
  encodeBlockHashes,
  encodeHoldings,
  encodeTransactions,
  encodeTransfers,
} from './encodeBlocks.ts'
import { createStoredHoldings, getHoldings } from './getHoldings.ts'

/** The progress of the index of a chain. */
export type IndexPosition = {
  /** The chain's number in the tables. */
  chain: number
  /** The first indexed block. */
  first: number
  /** The last indexed block, or `first - 1` if there is none. */
  head: number
  /** The last known head of the chain. */
  target: number
  /** Counts the leases. A process whose lease ended cannot write, because its term is over. */
  term: number
}

/** Another process holds the lease of the chain now. */
export class LeaseLostError extends Error {
  override readonly name: string = 'LeaseLostError'
  constructor() {
    super('Another process indexes this chain now.')
  }
}

export type AddBlocksOptions = { target: number; holders?: ReadonlySet<Hex> | undefined }

/** The stored index. Every method is atomic. */
export type IndexStore = {
  /** Gets the position of a chain. A new chain starts at `first`. */
  open(caip: string, first: number): Promise<IndexPosition>
  /** Gets the hash of an indexed block. */
  hashAt(chain: number, block: number): Promise<Hex | undefined>
  /**
   * Adds blocks that follow the head.
   *
   * @param options.target the head of the chain
   * @param options.holders the addresses whose received tokens are stored; all by default
   * @returns false, without a change, if the head has changed or the term is over
   */
  add(position: IndexPosition, blocks: readonly Block[], options: AddBlocksOptions): Promise<boolean>
  /**
   * Acquires or extends the lease to index a chain. Only one process holds it.
   *
   * @param until milliseconds
   * @returns the term of the lease, or `undefined` if another process holds it
   */
  lead(chain: number, process: string, now: number, until: number): Promise<number | undefined>
  /**
   * Deletes all blocks after `to`.
   *
   * @returns false, without a change, if the term is over
   */
  rewind(position: IndexPosition, to: number): Promise<boolean>
}

/** Creates the store on the server's database. */
export function createIndexStore(database: Database): IndexStore {
  const storedHoldings = createStoredHoldings()
  return {
    async open(caip, first) {
      type Row = Pick<TableRow<'index_chain'>, 'chain' | 'first_block' | 'head' | 'target' | 'term'>
      const [row] = await database.run<Row>('index-open', openChain, [caip, first])
      if (row === undefined) throw new Error('The database returned no position of the index.')
      return { chain: row.chain, first: row.first_block, head: row.head, target: row.target, term: row.term }
    },
    async hashAt(chain, block) {
      const [row] = await database.run<{ hash: string }>('index-hash', hashOfBlock, [chain, block])
      return row === undefined ? undefined : `0x${row.hash}`
    },
    async add({ chain, term }, blocks, { target, holders }) {
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
        ...encodeTransactions(blocks),
        ...encodeTransfers(blocks),
        ...encodeActivity(blocks),
        ...encodeHoldings(holdings),
      ])
      const isStored = moved.length === 1
      // A reorg keeps holdings. Those of requested addresses are deleted with the address.
      if (isStored && holders === undefined) storedHoldings.add(chain, holdings)
      return isStored
    },
    async lead(chain, process, now, until) {
      const [row] = await database.run<{ term: number }>('index-lead', leadChain, [chain, process, now, until])
      return row?.term
    },
    async rewind({ chain, term }, to) {
      return (await database.run('index-rewind', rewindTo, [chain, to, term])).length === 1
    },
  }
}

const openChain = `
  insert into index_chain (caip, first_block, head, target) values ($1, $2, $2::bigint - 1, $2::bigint - 1)
  on conflict (caip) do update set caip = excluded.caip
  returning chain, first_block, head, target, term`

const leadChain = `
  update index_chain set term = term + (leader <> $2)::int, leader = $2, leads_until = $4
  where chain = $1 and (leader = $2 or leads_until < $3) returning term`

const hashOfBlock = `select encode(hash, 'hex') as hash from index_block where chain = $1 and block = $2`

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

/** The statement of a reorg: chain, last block to keep, term. */
export function getRewindStatement(): string {
  return rewindTo
}
