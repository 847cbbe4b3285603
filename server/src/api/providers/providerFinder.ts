import type { TransactionFinder } from '../../indexer/requested/transactionFinder.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { pause } from '../../kit/runtime/pause.ts'
import { getBlockscoutPage } from './blockscout.ts'
import { getEtherscanPage } from './etherscan.ts'
import { createProviderFetch } from './providerFetch.ts'
import { requestFirstAvailable, selectProviders } from './selectProviders.ts'

/** The providers whose pages end at a block. */
const finderKinds: readonly DataProvider['kind'][] = ['blockscout', 'etherscan']
const pageSize = 50
/** The index waits for a page, so that a provider that is slower than this would delay new blocks. */
const defaultTimeoutMs = 5_000
/** A provider that was too slow is not asked again for this time. The nodes are used meanwhile. */
const suspensionMs = 30_000

/**
 * Creates the source on the providers of a chain, for the index of requested addresses. A provider only names
 * transactions; what they contain is read from the node.
 *
 * @returns undefined if the chain has no such provider
 */
export function createProviderFinder(
  chain: Chain,
  clock: Clock,
  timeoutMs = defaultTimeoutMs,
): TransactionFinder | undefined {
  const providers = selectProviders(chain, finderKinds)
  if (providers.length === 0) return undefined
  const fetchJson = createProviderFetch(clock)
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
  return suspendWhenSlow(finder, { clock, timeoutMs })
}

/** Rejects when a source does not respond in time, and at once for a while afterwards. */
function suspendWhenSlow(
  finder: TransactionFinder,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): TransactionFinder {
  let suspendedUntil = 0
  return {
    async find(address, range) {
      if (clock.now() < suspendedUntil) throw new Error('The providers were too slow recently.')
      const finished = new AbortController()
      const slow = pause(timeoutMs, finished.signal).then(() => 'slow' as const)
      try {
        const found = await Promise.race([finder.find(address, range), slow])
        if (found !== 'slow') return found
      } finally {
        finished.abort()
      }
      suspendedUntil = clock.now() + suspensionMs
      throw new Error('The providers did not respond in time.')
    },
  }
}
