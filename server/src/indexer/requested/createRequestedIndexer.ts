import type { ChainIndexer } from '../followChain.ts'
import { createFollowedAddresses } from './followedAddresses.ts'
import { followRequested, type FollowRequestedDependencies } from './followRequested.ts'
import { createLogFinder } from './logFinder.ts'
import { maintainAddresses, type MaintainAddressesDependencies } from './maintainAddresses.ts'
import { createOtterscanFinder } from './otterscanFinder.ts'
import { coverLag, joinFinders, type TransactionFinder } from './transactionFinder.ts'

/** The limits of a chain of which only requested addresses are indexed. */
export const defaultRequestedLimits = { maxAddresses: 100_000, maxTransactions: 10_000 } as const

export type RequestedIndexerDependencies = Omit<FollowRequestedDependencies, 'followed' | 'maintenance' | 'finders'> &
  Pick<MaintainAddressesDependencies, 'database' | 'expiryMs' | 'everyMs'> & {
    /** Finds transactions better than the nodes. */
    provider: TransactionFinder | undefined
  }

/** Creates the indexer of requested addresses with its sources: the provider if there is one, otherwise the nodes. */
export function createRequestedIndexer(dependencies: RequestedIndexerDependencies): ChainIndexer {
  const { rpc, addresses, first, provider } = dependencies
  const followed = createFollowedAddresses(addresses, first)
  const logs = createLogFinder(rpc)
  const nodes = joinFinders([createOtterscanFinder(rpc), logs])
  const finders = provider === undefined ? [nodes] : [coverLag(provider, logs), nodes]
  const maintenance = maintainAddresses({ ...dependencies, followed })
  return followRequested({ ...dependencies, followed, maintenance, finders })
}
