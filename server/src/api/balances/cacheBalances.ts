import type { TokenBalance } from '@latchkey/protocol'
import { onIndexUpdate } from '../../indexer/indexUpdates.ts'
import type { Bus } from '../../kit/bus/bus.ts'
import { createCache } from '../../kit/cache/cache.ts'
import { normalizeAddress } from '../../kit/chain/normalizeAddress.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { BalanceSource } from './balanceSource.ts'

/** Time to live in milliseconds [R9.1.10]. */
const ttl = 30_000
const limit = 20_000
const defaultMaxBytes = 64 * 1024 * 1024
/** About the memory of a balance, as measured. */
const balanceBytes = 400

export type BalancesCacheOptions = {
  bus: Bus
  clock: Clock
  /** The memory of all balances; 64 MiB by default. */
  maxBytes?: number
}

/** Caches balances until they expire or the index reports a change. All sources share the memory: each chain has one source. */
export function cacheBalances(
  sources: readonly BalanceSource[],
  { bus, clock, maxBytes = defaultMaxBytes }: BalancesCacheOptions,
): readonly BalanceSource[] {
  const cache = createCache<readonly TokenBalance[]>({
    clock,
    ttlMs: ttl,
    maxEntries: limit,
    memory: { maxBytes, estimateBytes: (balances) => balanceBytes * balances.length },
    shared: { bus, name: 'balances' },
  })
  onIndexUpdate(bus, ({ chain, concerned }) => {
    if (concerned === undefined) cache.dropMatching((key) => key.startsWith(balancesCacheKey(chain, '')))
    else cache.drop(concerned.map((address) => balancesCacheKey(chain, address)))
  })
  return sources.map((source) => ({
    covers: source.covers,
    async balances(chain, address, options = {}) {
      const key = balancesCacheKey(chain.caipNetworkId, address)
      const load = (): Promise<readonly TokenBalance[]> => source.balances(chain, address, options)
      return options.fresh === true ? cache.reload(key, load) : cache.get(key, load)
    },
  }))
}

function balancesCacheKey(chain: string, address: string): string {
  return `${chain}/${normalizeAddress(address)}`
}
