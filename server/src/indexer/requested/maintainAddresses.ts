import type { Database } from '../../kit/database/database.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Hex } from '../block.ts'
import type { IndexPosition } from '../indexStore.ts'
import type { FollowedAddresses } from './followedAddresses.ts'

/** Deletes what the index no longer needs, a bounded part at a time. */
export type AddressMaintenance = { run(position: IndexPosition): Promise<void> }

export type MaintainAddressesDependencies = {
  database: Database
  clock: Clock
  followed: FollowedAddresses
  /** The oldest block whose transactions are indexed. */
  first: number
  /** The most transactions of an address that are stored, apart from a tolerance. */
  maxTransactions: number
  /** An address without a request for so long is no longer followed. */
  expiryMs?: number
  everyMs?: number
}

const thirtyDaysMs = 30 * 24 * 60 * 60 * 1_000
/** Blocks whose hashes are kept to recognise a reorg. */
const keptHashes = 256
const addressesPerRun = 20
const rowsPerStatement = 1_000
/** Transactions above the limit are deleted once there are so many of them. */
const toleranceShare = 0.1

/** Creates the maintenance of a chain. It runs once a minute. */
export function maintainAddresses(dependencies: MaintainAddressesDependencies): AddressMaintenance {
  const { database, clock, followed, first, maxTransactions } = dependencies
  const { expiryMs = thirtyDaysMs, everyMs = 60_000 } = dependencies
  let nextRun = 0

  async function expire({ chain, term }: IndexPosition): Promise<void> {
    const before = clock.now() - expiryMs
    const values = [chain, before, addressesPerRun]
    const expired = await database.run<AddressRow>('address-expired', listExpired, values)
    // Not followed first, so that no new transaction is added while the others are deleted.
    followed.remove(expired.map(({ address }) => address))
    for (const { address } of expired) {
      await deleteActivity(database, { chain, term, address, last: Number.MAX_SAFE_INTEGER })
      await database.run('address-delete', deleteAddress, [chain, term, toBytea(address), before])
    }
  }

  async function trim({ chain, term }: IndexPosition): Promise<void> {
    const limit = Math.ceil(maxTransactions * (1 + toleranceShare))
    const large = await database.run<AddressRow>('address-large', listLarge, [chain, limit, addressesPerRun])
    for (const { address } of large) {
      const values = [chain, term, toBytea(address), maxTransactions, first]
      const [row] = await database.run<{ last: number }>('address-trim', trimAddress, values)
      if (row !== undefined) await deleteActivity(database, { chain, term, address, last: row.last })
    }
  }

  return {
    async run(position) {
      if (clock.now() < nextRun) return
      nextRun = clock.now() + everyMs
      await expire(position)
      await trim(position)
      await database.run('address-hashes', deleteHashes, [position.chain, position.term, position.head - keptHashes])
    },
  }
}

type AddressRow = { address: Hex }
type Deletion = { chain: number; term: number; address: Hex; last: number }

const toBytea = (hex: Hex): string => `\\x${hex.slice(2)}`
/** Deletes the activity of an address up to a block, and the transactions that no other address needs. */
async function deleteActivity(database: Database, { chain, term, address, last }: Deletion): Promise<void> {
  const values = [chain, term, toBytea(address), last, rowsPerStatement]
  let deleted = rowsPerStatement
  while (deleted === rowsPerStatement) {
    const [row] = await database.run<{ count: number }>('address-rows', deleteRows, values)
    deleted = row?.count ?? 0
  }
}

const ownChain = `own as (select chain from index_chain where chain = $1 and term = $2 for update)`

const listExpired = `
  select '0x' || encode(address, 'hex') as address from index_address
  where chain = $1 and requested_at < $2 order by requested_at limit $3`

const listLarge = `
  select '0x' || encode(address, 'hex') as address from index_address
  where chain = $1 and transactions > $2 order by transactions desc limit $3`

/** An address that was requested again meanwhile begins as a new one. */
const deleteAddress = `
  with ${ownChain}, holdings as (
    delete from index_holding using own where index_holding.chain = own.chain and address = $3
  ), renewed as (
    update index_address as each set followed = false, pages = 0, transactions = 0, gap_from = null, gap_to = null
    from own where each.chain = own.chain and address = $3 and requested_at >= $4
  ), deleted as (
    delete from index_address using own
    where index_address.chain = own.chain and address = $3 and requested_at < $4 returning address
  )
  update index_chain set addresses = greatest(0, addresses - 1)
  where chain = (select chain from own) and exists (select from deleted)`

/** The gap then reaches up to the newest deleted block. */
const trimAddress = `
  with ${ownChain}, oldest as (
    select block from index_activity where address = $3 and chain = $1
    order by mined_at desc, block desc, position desc offset $4 limit 1
  )
  update index_address as each set transactions = $4, gap_from = coalesce(gap_from, $5), gap_to = oldest.block
  from own, oldest where each.chain = own.chain and address = $3
  returning oldest.block as last`

const deleteRows = `
  with ${ownChain}, chosen as (
    select mined_at, block, position from index_activity
    where chain = (select chain from own) and address = $3 and block <= $4 order by mined_at limit $5
  ), gone as (
    delete from index_activity as each using chosen
    where each.address = $3 and each.chain = $1 and each.mined_at = chosen.mined_at and each.block = chosen.block
      and each.position = chosen.position
    returning each.block, each.position
  ), unneeded as (
    select block, position from gone where not exists (
      select from index_transaction as own, unnest(array[own.sender, own.receiver, own.created]) as party
      join index_address as other on other.chain = $1 and other.address = party and other.address <> $3
      where own.chain = $1 and own.block = gone.block and own.position = gone.position
    ) and not exists (
      select from index_transfer as moved, unnest(array[moved.sender, moved.receiver]) as party
      join index_address as other on other.chain = $1 and other.address = party and other.address <> $3
      where moved.chain = $1 and moved.block = gone.block and moved.position = gone.position
    )
  ), transfers as (
    delete from index_transfer as each using unneeded
    where each.chain = $1 and each.block = unneeded.block and each.position = unneeded.position
  ), transactions as (
    delete from index_transaction as each using unneeded
    where each.chain = $1 and each.block = unneeded.block and each.position = unneeded.position
  )
  select count(*)::int as count from gone`

const deleteHashes = `
  with ${ownChain}
  delete from index_block using own where index_block.chain = own.chain and block < $3`

/** The statements whose plans a test reads. */
export const maintenanceStatements = { listExpired, listLarge, trimAddress, deleteRows } as const
