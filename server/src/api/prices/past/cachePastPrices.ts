import type { Bus } from '../../../kit/bus/bus.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import { createPriceCache, type PriceLifetime } from '../priceCache.ts'
import { getDaySpan, parseAssetDayKey, toAssetDayKey, type PastPriceSource } from './pastPriceSource.ts'

const hourMs = 3_600_000
const lifetimes = {
  /** The day can still change, or its last blocks can. */
  open: { refreshAfterMs: 240_000, ttlMs: 300_000 },
  /** A source may learn of it later. */
  unknown: { refreshAfterMs: hourMs, ttlMs: hourMs },
  /** A past price never changes. */
  past: { refreshAfterMs: 30 * 24 * hourMs, ttlMs: 30 * 24 * hourMs },
} as const satisfies Record<string, PriceLifetime>

/** Caches past prices per asset and day. Concurrent requests share the load of an asset on a day. */
export function cachePastPrices(source: PastPriceSource, { bus, clock }: { bus: Bus; clock: Clock }): PastPriceSource {
  const cache = createPriceCache({
    bus,
    clock,
    name: 'pastPrices',
    lifetimeOf(key, price) {
      if (getDaySpan(parseAssetDayKey(key).day).end + hourMs > clock.now()) return lifetimes.open
      return price === null ? lifetimes.unknown : lifetimes.past
    },
  })
  return {
    pastPrices: (chain, wanted, currency) =>
      cache.get(`${chain.caipNetworkId}/${currency}`, wanted.map(toAssetDayKey), (keys) =>
        source.pastPrices(chain, keys.map(parseAssetDayKey), currency),
      ),
  }
}
