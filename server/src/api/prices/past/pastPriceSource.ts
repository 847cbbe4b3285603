import type { Chain } from '../../../kit/chain/chains.ts'

/** A day in UTC: `2026-11-27`. */
export type UtcDay = string

/** An asset on a day: `native` or a token address. */
export type AssetDay = { asset: string; day: UtcDay }

/** A source of the prices that assets had on a day: contracts of the chain, or a provider. */
export type PastPriceSource = {
  /**
   * Gets the price of one whole unit of each asset on its day. Unknown prices are left out: a source never returns the
   * price of another day.
   *
   * @returns the prices by `toAssetDayKey`
   * @throws any error if the source is not available
   */
  pastPrices(chain: Chain, wanted: readonly AssetDay[], currency: string): Promise<ReadonlyMap<string, number>>
}

const dayMs = 86_400_000
/** The length of `2026-11-27`. */
const dayLength = 10

/** Gets the key of an asset on a day. */
export function toAssetDayKey({ asset, day }: AssetDay): string {
  return `${asset}@${day}`
}

/** Parses the result of `toAssetDayKey`. */
export function parseAssetDayKey(key: string): AssetDay {
  return { asset: key.slice(0, -dayLength - 1), day: key.slice(-dayLength) }
}

/** Gets the day of a time in milliseconds. */
export function toUtcDay(time: number): UtcDay {
  return new Date(time).toISOString().slice(0, dayLength)
}

/** Gets the first millisecond of a day, and the first one after it. */
export function getDaySpan(day: UtcDay): { start: number; end: number } {
  const start = Date.parse(`${day}T00:00:00Z`)
  return { start, end: start + dayMs }
}
