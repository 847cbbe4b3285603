import type { Chain } from '../../../kit/chain/chains.ts'
import type { DataProvider } from '../../../kit/chain/dataProvider.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import { getField } from '../../../kit/runtime/getField.ts'
import { toList } from '../../http/toAmount.ts'
import { createProviderFetch, type ProviderFetch } from '../../providers/providerFetch.ts'
import { getDaySpan, toAssetDayKey, toUtcDay, type PastPriceSource, type UtcDay } from './pastPriceSource.ts'

/** Requests that are sent at the same time. */
const requestsAtOnce = 4

/**
 * Creates the past prices of CoinGecko's API, with the operator's key. The first price of a day counts. Only the native
 * currency and tokens of the operator's list are requested, with one request each, because a history contains contracts
 * of strangers.
 */
export function createProviderPastPrices(clock: Clock): PastPriceSource {
  const fetchJson = createProviderFetch(clock)
  return {
    async pastPrices(chain, wanted, currency) {
      const provider = chain.providers?.find(({ kind }) => kind === 'coingecko')
      if (provider === undefined) return new Map()
      const assets = [...new Set(wanted.map(({ asset }) => asset))]
      const paths = assets.flatMap((asset): [asset: string, path: string][] => {
        const path = getChartPath(chain, provider, asset)
        return path === undefined ? [] : [[asset, path]]
      })
      const found = new Map<string, number>()
      for (let at = 0; at < paths.length; at += requestsAtOnce) {
        await Promise.all(
          paths.slice(at, at + requestsAtOnce).map(async ([asset, path]) => {
            const days = wanted.filter((each) => each.asset === asset).map(({ day }) => day)
            const prices = await fetchDayPrices({ fetchJson, provider, path, currency }, days)
            for (const [day, price] of prices) found.set(toAssetDayKey({ asset, day }), price)
          }),
        )
      }
      return found
    },
  }
}

function getChartPath(chain: Chain, { network = '', coin }: DataProvider, asset: string): string | undefined {
  if (asset === 'native') return coin === undefined ? undefined : `/coins/${coin}/market_chart/range`
  const isListed = chain.tokens.some(({ address }) => address.toLowerCase() === asset.toLowerCase())
  return isListed ? `/coins/${network}/contract/${asset}/market_chart/range` : undefined
}

type ChartRequest = { fetchJson: ProviderFetch; provider: DataProvider; path: string; currency: string }

/** Fetches the prices between the first and the last of the days, and returns the first one of each day. */
async function fetchDayPrices(
  { fetchJson, provider, path, currency }: ChartRequest,
  days: readonly UtcDay[],
): Promise<ReadonlyMap<UtcDay, number>> {
  const spans = days.map(getDaySpan)
  const from = Math.min(...spans.map(({ start }) => start)) / 1_000
  const to = Math.max(...spans.map(({ end }) => end)) / 1_000
  const query = { vs_currency: currency, from: String(from), to: String(to) }
  const response = await fetchJson(provider, path, query, { acceptsMissing: true })
  const prices = new Map<UtcDay, number>()
  for (const point of toList(getField(response, 'prices'))) {
    const [time, price] = toList(point)
    if (!isTime(time) || typeof price !== 'number' || !Number.isFinite(price) || price <= 0) continue
    const day = toUtcDay(time)
    if (days.includes(day) && !prices.has(day)) prices.set(day, price)
  }
  return prices
}

/** True for milliseconds that a date can hold. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15
}
