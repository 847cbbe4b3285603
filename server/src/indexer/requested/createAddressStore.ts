import type { Database } from '../../kit/database/database.ts'
import { createByteaColumn } from '../../kit/database/arrayColumn.ts'
import type { Hex } from '../block.ts'
import type { AddressGap, Writer } from '../history/historyStore.ts'
import { ownChain } from '../history/ownChain.ts'
import { toBytea } from '../history/toBytea.ts'

/**
 * The state of a requested address. `gapTo` is the last block that is not indexed; null if there is no gap. The gap is not
 * filled before `retryAt`, because no source could fill it.
 */
export type AddressState = { isFollowed: boolean; pages: number; gapTo: number | null; retryAt: number }

/**
 * The requested addresses of a chain. A method with a writer changes nothing if its term is over, because another process
 * indexes the chain then.
 */
export type AddressStore = {
  /**
   * Notes a request for an address.
   *
   * @returns `full` if the chain has as many addresses as it may have
   */
  request(
    chain: number,
    address: Hex,
    limits: { now: number; maxAddresses: number },
  ): Promise<'known' | 'added' | 'full'>
  /** Gets the states of a requested address by chain. */
  find(chains: readonly number[], address: Hex): Promise<ReadonlyMap<number, AddressState>>
  /** Notes the request for an address on the chains that know it, and gets its states there. */
  touch(chains: readonly number[], address: Hex, now: number): Promise<ReadonlyMap<number, AddressState>>
  /** Follows the requested addresses that are new. Their gap reaches from the block `from` to the head. */
  admit(writer: Writer, from: number): Promise<readonly Hex[]>
  listFollowed(chain: number): Promise<readonly Hex[]>
  /**
   * Moves the head without indexing the blocks in between. They become part of the gap of each address. With the hash of the
   * new head, a later reorg is noticed.
   */
  jump(writer: Writer, head: { from: number; to: number; hash?: Hex }): Promise<boolean>
  /** Lists gaps: those of the addresses with the fewest pages first, then those that were requested last. */
  listGaps(
    chain: number,
    options: { now: number; maxTransactions: number; limit: number },
  ): Promise<readonly AddressGap[]>
  /** Tries a gap again after a time, because no source can fill it now. */
  postpone(writer: Writer, address: Hex, until: number): Promise<void>
  /** Counts transactions that were indexed at the head. */
  count(writer: Writer, addresses: readonly Hex[]): Promise<void>
}

/** Creates the store on the server's database. */
export function createAddressStore(database: Database): AddressStore {
  return {
    async request(chain, address, { now, maxAddresses }) {
      type Row = { known: boolean; added: boolean }
      const values = [chain, toBytea(address), now, maxAddresses]
      const [row] = await database.run<Row>('address-request', requestAddress, values)
      return row?.added === true ? 'added' : row?.known === true ? 'known' : 'full'
    },
    find: async (chains, address) =>
      toStates(await database.run<StateRow>('address-find', findAddress, [chains, toBytea(address)])),
    touch: async (chains, address, now) =>
      toStates(await database.run<StateRow>('address-touch', touchAddress, [chains, toBytea(address), now])),
    admit: async ({ chain, term }, from) =>
      toAddresses(await database.run<AddressRow>('address-admit', admitAddresses, [chain, term, from])),
    listFollowed: async (chain) => toAddresses(await database.run<AddressRow>('address-list', listFollowed, [chain])),
    jump: async ({ chain, term }, { from, to, hash }) => {
      const values = [chain, term, from, to, hash === undefined ? null : toBytea(hash)]
      return (await database.run('address-jump', jumpHead, values)).length === 1
    },
    async listGaps(chain, { now, maxTransactions, limit }) {
      type Row = AddressRow & { gap_from: number; gap_to: number }
      const rows = await database.run<Row>('address-gaps', listGaps, [chain, now, maxTransactions, limit])
      return rows.map(({ address, gap_from: from, gap_to: to }) => ({ address, from, to }))
    },
    async postpone({ chain, term }, address, until) {
      await database.run('address-postpone', postponeGap, [chain, term, toBytea(address), until])
    },
    async count({ chain, term }, addresses) {
      if (addresses.length === 0) return
      const column = createByteaColumn()
      for (const address of addresses) column.add(address)
      await database.run('address-count', countTransactions, [chain, term, column.encode()])
    },
  }
}

type AddressRow = { address: Hex }

/** The most requests for pages of one gap, so that an address without transactions does not cost requests without end. */
const maxPages = 1_000

type StateRow = { chain: number; followed: boolean; pages: number; gap_to: number | null; retry_at: number }

function toStates(rows: readonly StateRow[]): ReadonlyMap<number, AddressState> {
  return new Map(
    rows.map(({ chain, followed, pages, gap_to: gapTo, retry_at: retryAt }) => [
      chain,
      { isFollowed: followed, pages, gapTo, retryAt },
    ]),
  )
}

const toAddresses = (rows: readonly AddressRow[]): readonly Hex[] => rows.map(({ address }) => address)

/**
 * The row of the chain counts its addresses, and is locked, so that concurrent requests cannot exceed the limit. An
 * address that another request has added in the meantime is not visible as known, but not added, and not counted, either.
 */
const requestAddress = `
  with known as (
    update index_address set requested_at = greatest(requested_at, $3) where chain = $1 and address = $2
    returning address
  ), room as (
    select chain, addresses < $4 as free from index_chain
    where chain = $1 and not exists (select from known) for update
  ), added as (
    insert into index_address (chain, address, requested_at) select chain, $2, $3 from room where free
    on conflict do nothing returning chain
  ), counted as (
    update index_chain set addresses = addresses + 1 from added where index_chain.chain = added.chain
  )
  select exists (select from known) or exists (select from room where free) as known,
    exists (select from added) as added`

const findAddress = `
  select chain, followed, pages, gap_to, retry_at from index_address where chain = any($1::int[]) and address = $2`

const touchAddress = `
  update index_address set requested_at = greatest(requested_at, $3) where chain = any($1::int[]) and address = $2
  returning chain, followed, pages, gap_to, retry_at`

const admitAddresses = `
  with ${ownChain}
  update index_address as each set
    followed = true,
    gap_from = case when $3::bigint <= own.head then $3::bigint end,
    gap_to = case when $3::bigint <= own.head then own.head end
  from own where each.chain = own.chain and not followed
  returning '0x' || encode(address, 'hex') as address`

const listFollowed = `
  select '0x' || encode(address, 'hex') as address from index_address where chain = $1 and followed`

const jumpHead = `
  with ${ownChain}, moved as (
    update index_chain set head = $4 from own where index_chain.chain = own.chain and own.head = $3::bigint
    returning index_chain.chain
  ), gaps as (
    update index_address as each set gap_from = coalesce(gap_from, $3::bigint + 1), gap_to = $4
    from moved where each.chain = moved.chain and followed
  ), hashes as (
    insert into index_block (chain, block, hash) select chain, $4::bigint, $5::bytea from moved where $5::bytea is not null
    on conflict (chain, block) do update set hash = excluded.hash
  )
  select chain from moved`

const listGaps = `
  select '0x' || encode(address, 'hex') as address, gap_from, gap_to from index_address
  where chain = $1 and gap_to is not null and retry_at <= $2 and transactions < $3 and pages < ${maxPages}
  order by pages, requested_at desc limit $4`

const postponeGap = `
  with ${ownChain}
  update index_address as each set retry_at = $4 from own where each.chain = own.chain and address = $3`

const countTransactions = `
  with ${ownChain}, counted as (select address, count(*)::int as count from unnest($3::bytea[]) as address group by address)
  update index_address as each set transactions = transactions + counted.count
  from own, counted where each.chain = own.chain and each.address = counted.address`

/** The statements whose plans a test reads. */
export const addressStatements = { requestAddress, admitAddresses, listGaps } as const
