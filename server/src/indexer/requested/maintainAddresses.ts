import type { Database } from '../../kit/database/database.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Hex } from '../block.ts'
import type { HistoryStore } from '../history/historyStore.ts'
import { reorgDepth } from '../history/createHistoryLedger.ts'
import { ownChain } from '../history/ownChain.ts'
import { toBytea } from '../history/toBytea.ts'
import type { IndexPosition } from '../indexStore.ts'
import type { FollowedAddresses } from './followedAddresses.ts'

/** Deletes rows that the index no longer needs, a bounded part at a time. */
export type AddressMaintenance = { run(position: IndexPosition): Promise<void> }

export type MaintainAddressesDependencies = {
  database: Database
  history: HistoryStore
  clock: Clock
  followed: FollowedAddresses
  /** The oldest block whose transactions are indexed. */
  first: number
  /** The most transactions of an address that are stored, apart from a tolerance. */
  maxTransactions: number
  /** An address without a request for this time is no longer followed. */
  expiryMs?: number
  everyMs?: number
}

const thirtyDaysMs = 30 * 24 * 60 * 60 * 1_000
const addressesPerRun = 20
/** Transactions above the limit are deleted once they exceed it by this share. */
const toleranceShare = 0.1

/** Creates the maintenance of a chain. It runs once a minute. */
export function maintainAddresses(dependencies: MaintainAddressesDependencies): AddressMaintenance {
  const { database, history, clock, followed, first, maxTransactions } = dependencies
  const { expiryMs = thirtyDaysMs, everyMs = 60_000 } = dependencies
  let nextRun = 0

  async function expire({ chain, term }: IndexPosition): Promise<void> {
    const before = clock.now() - expiryMs
    const values = [chain, before, addressesPerRun]
    const expired = await database.run<AddressRow>('address-expired', listExpired, values)
    // Not followed first, so that no new transaction is added while the others are deleted.
    followed.remove(expired.map(({ address }) => address))
    for (const { address } of expired) {
      await history.remove({ chain, term }, address)
      await database.run('address-delete', deleteAddress, [chain, term, toBytea(address), before])
    }
  }

  async function trim({ chain, term }: IndexPosition): Promise<void> {
    const limit = Math.ceil(maxTransactions * (1 + toleranceShare))
    const large = await database.run<AddressRow>('address-large', listLarge, [chain, limit, addressesPerRun])
    for (const { address } of large) await history.trim({ chain, term }, address, { maxTransactions, first })
  }

  return {
    async run(position) {
      if (clock.now() < nextRun) return
      nextRun = clock.now() + everyMs
      await expire(position)
      await trim(position)
      await history.forgetHashes(position, position.head - reorgDepth)
    },
  }
}

type AddressRow = { address: Hex }

const listExpired = `
  select '0x' || encode(address, 'hex') as address from index_address
  where chain = $1 and requested_at < $2 order by requested_at limit $3`

const listLarge = `
  select '0x' || encode(address, 'hex') as address from index_address
  where chain = $1 and transactions > $2 order by transactions desc limit $3`

/** An address that has been requested again since begins as a new one. */
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

/** The statements whose plans a test reads. */
export const maintenanceStatements = { listExpired, listLarge } as const
