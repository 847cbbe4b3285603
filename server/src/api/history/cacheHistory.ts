import type { HistoryPage } from '@latchkey/protocol'
import { onIndexUpdate } from '../../indexer/indexUpdates.ts'
import type { Bus } from '../../kit/bus/bus.ts'
import { createCache } from '../../kit/cache/cache.ts'
import { normalizeAddress } from '../../kit/chain/normalizeAddress.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { HistorySource } from './historySource.ts'

const ttl = 30_000
const limit = 20_000
const defaultMaxBytes = 128 * 1024 * 1024
/** About the memory of an empty page, of a transaction without transfers, and of a transfer, as measured. */
const [pageBytes, itemBytes, transferBytes] = [500, 500, 750]

export type HistoryCacheOptions = {
  bus: Bus
  clock: Clock
  /** The memory of all pages; 128 MiB by default. */
  maxBytes?: number
}

/** Caches first pages, which are requested most, until the index reports a change. All sources share the memory: each chain has one source. */
export function cacheHistory(
  sources: readonly HistorySource[],
  { bus, clock, maxBytes = defaultMaxBytes }: HistoryCacheOptions,
): readonly HistorySource[] {
  const cache = createCache<HistoryPage>({
    clock,
    ttlMs: ttl,
    maxEntries: limit,
    memory: { maxBytes, estimateBytes: estimatePageBytes },
    shared: { bus, name: 'history' },
  })
  onIndexUpdate(bus, ({ chain, concerned }) => {
    const lists = [chain, 'all']
    if (concerned === undefined) {
      cache.dropMatching((key) => lists.some((list) => key.startsWith(historyCacheKey(list, ''))))
    } else cache.drop(concerned.flatMap((address) => lists.map((list) => historyCacheKey(list, address))))
  })
  return sources.map((source) => ({
    covers: source.covers,
    page(request) {
      const { chains, address, cursor } = request
      const [first] = chains
      if (cursor !== undefined || first === undefined) return source.page(request)
      const where = chains.length === 1 ? first.caipNetworkId : 'all'
      return cache.get(historyCacheKey(where, address), () => source.page(request))
    },
  }))
}

function estimatePageBytes({ data }: HistoryPage): number {
  return data.reduce((sum, { transfers }) => sum + itemBytes + transferBytes * transfers.length, pageBytes)
}

function historyCacheKey(chain: string, address: string): string {
  return `${chain}/${normalizeAddress(address)}`
}
