import type { HistoryPage } from '@latchkey/protocol'
import { onIndexUpdate } from '../../indexer/indexUpdates.ts'
import type { Bus } from '../../kit/bus/bus.ts'
import { createCache } from '../../kit/cache/cache.ts'
import { normalizeAddress } from '../../kit/chain/normalizeAddress.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { HistorySource } from './historySource.ts'

const ttl = 30_000
const limit = 20_000
const maxBytes = 128 * 1024 * 1024
/** About the memory of a transaction without transfers, and of a transfer, as measured. */
const [itemBytes, transferBytes] = [700, 450]

/** Caches first pages, which are requested most, until the index reports a change. */
export function cacheHistory(source: HistorySource, { bus, clock }: { bus: Bus; clock: Clock }): HistorySource {
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
  return {
    covers: source.covers,
    page(request) {
      const { chains, address, cursor } = request
      const [first] = chains
      if (cursor !== undefined || first === undefined) return source.page(request)
      const where = chains.length === 1 ? first.caipNetworkId : 'all'
      return cache.get(historyCacheKey(where, address), () => source.page(request))
    },
  }
}

function estimatePageBytes({ data }: HistoryPage): number {
  return data.reduce((sum, { transfers }) => sum + itemBytes + transferBytes * transfers.length, itemBytes)
}

function historyCacheKey(chain: string, address: string): string {
  return `${chain}/${normalizeAddress(address)}`
}
