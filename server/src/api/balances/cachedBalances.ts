import type { TokenBalance } from '@latchkey/protocol'
import { onIndexNews } from '../../indexer/service.ts'
import type { Bus } from '../../kit/bus.ts'
import { createCache } from '../../kit/cache.ts'
import type { Clock } from '../../kit/clock.ts'
import type { BalanceSource } from './balanceSource.ts'

/** How long balances are good, in milliseconds [R9.1.10]. */
const ttl = 30_000
const limit = 20_000

/** Keeps the balances of a source for a while, and no longer than until its chain's index says that they changed. */
export function cacheBalances(source: BalanceSource, { bus, clock }: { bus: Bus; clock: Clock }): BalanceSource {
  const cache = createCache<readonly TokenBalance[]>({ clock, ttl, limit, shared: { bus, name: 'balances' } })
  onIndexNews(bus, ({ chain, concerned }) => {
    if (concerned === undefined) cache.forgetAll()
    else cache.forget(concerned.map((address) => keyOf(chain, address)))
  })
  return {
    covers: source.covers,
    async balances(chain, address, options = {}) {
      const key = keyOf(chain.caipNetworkId, address)
      const load = (): Promise<readonly TokenBalance[]> => source.balances(chain, address, options)
      if (options.fresh !== true) return cache.get(key, load)
      const balances = await load()
      cache.put(key, balances)
      return balances
    },
  }
}

function keyOf(chain: string, address: string): string {
  return `${chain}/${address.toLowerCase()}`
}
