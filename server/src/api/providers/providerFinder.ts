import type { TransactionFinder } from '../../indexer/requested/transactionFinder.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { getBlockscoutPage } from './blockscout.ts'
import { continueSlowPages, type SlowPageLimits } from './continueSlowPages.ts'
import { getEtherscanPage } from './etherscan.ts'
import { createProviderFetch } from './providerFetch.ts'
import { requestFirstAvailable, selectProviders } from './selectProviders.ts'

/** The providers whose pages end at a block. */
const finderKinds: readonly DataProvider['kind'][] = ['blockscout', 'etherscan']
const pageSize = 50
/** Pages of large addresses take long. New blocks wait for five seconds, once. */
const defaultLimits: SlowPageLimits = { waitMs: 5_000, budgetMs: 30_000 }

/**
 * Creates the source on the providers of a chain, for the index of requested addresses. A provider only names
 * transactions; what they contain is read from the node.
 *
 * @returns undefined if the chain has no such provider
 */
export function createProviderFinder(
  chain: Chain,
  clock: Clock,
  limits = defaultLimits,
): TransactionFinder | undefined {
  const providers = selectProviders(chain, finderKinds)
  if (providers.length === 0) return undefined
  const fetchJson = createProviderFetch(clock, limits.budgetMs)
  const finder: TransactionFinder = {
    async find(address, { from, to }) {
      // A page starts below the block of its cursor.
      const request = { address, cursor: String(to + 1), size: pageSize }
      const { transactions, before } = await requestFirstAvailable(providers, (provider) =>
        provider.kind === 'etherscan'
          ? getEtherscanPage(fetchJson, provider, chain, request)
          : getBlockscoutPage(fetchJson, provider, request),
      )
      const start = Math.min(to, Math.max(from, before ?? from))
      const references = transactions.filter(({ block }) => block >= start && block <= to)
      return { references: references.map(({ block, hash }) => ({ block, hash })), from: start }
    },
  }
  return continueSlowPages(finder, { clock, ...limits })
}
