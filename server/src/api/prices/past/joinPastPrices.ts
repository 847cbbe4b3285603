import { toAssetDayKey, type PastPriceSource } from './pastPriceSource.ts'

/**
 * Joins sources of past prices. Each is asked for the prices that the sources before it do not know. A failed source is
 * skipped, unless all of them fail.
 */
export function joinPastPrices(sources: readonly PastPriceSource[]): PastPriceSource {
  return {
    async pastPrices(chain, wanted, currency) {
      const known = new Map<string, number>()
      const failures: unknown[] = []
      for (const source of sources) {
        const unknown = wanted.filter((each) => !known.has(toAssetDayKey(each)))
        if (unknown.length === 0) break
        try {
          for (const [key, price] of await source.pastPrices(chain, unknown, currency)) known.set(key, price)
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0 && known.size === 0) throw failures[0]
      return known
    },
  }
}
