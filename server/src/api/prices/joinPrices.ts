import type { PriceSource } from './priceSource.ts'

/**
 * Joins price sources. Each is asked for the prices that the sources before it do not know. A failed source is skipped,
 * unless all fail.
 */
export function joinPrices(sources: readonly PriceSource[]): PriceSource {
  return {
    async prices(chain, assets, currency) {
      const known = new Map<string, number>()
      const failures: unknown[] = []
      for (const source of sources) {
        const unknown = assets.filter((asset) => !known.has(asset))
        if (unknown.length === 0) break
        try {
          for (const [asset, price] of await source.prices(chain, unknown, currency)) known.set(asset, price)
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0 && known.size === 0) throw failures[0]
      return known
    },
  }
}
