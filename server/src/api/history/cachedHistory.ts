import type { HistoryPage } from '@latchkey/protocol'
import { onIndexNews } from '../../indexer/service.ts'
import type { Bus } from '../../kit/bus.ts'
import { createCache } from '../../kit/cache.ts'
import type { Clock } from '../../kit/clock.ts'
import type { HistorySource } from './historySource.ts'

const ttl = 30_000
const limit = 20_000

/** Keeps the first pages of a source, which are asked for most, until the index says that they changed. */
export function cacheHistory(source: HistorySource, { bus, clock }: { bus: Bus; clock: Clock }): HistorySource {
  const cache = createCache<HistoryPage>({ clock, ttl, limit, shared: { bus, name: 'history' } })
  onIndexNews(bus, ({ chain, concerned }) => {
    if (concerned === undefined) cache.forgetAll()
    else cache.forget(concerned.flatMap((address) => [keyOf(chain, address), keyOf('all', address)]))
  })
  return {
    covers: source.covers,
    page(question) {
      const { chains, address, cursor } = question
      const [first] = chains
      if (cursor !== undefined || first === undefined) return source.page(question)
      const where = chains.length === 1 ? first.caipNetworkId : 'all'
      return cache.get(keyOf(where, address), () => source.page(question))
    },
  }
}

function keyOf(chain: string, address: string): string {
  return `${chain}/${address.toLowerCase()}`
}
