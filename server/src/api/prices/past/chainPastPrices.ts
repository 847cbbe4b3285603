import { LRUCache } from 'lru-cache'
import { createChainRpc } from '../../../kit/chain/chainRpc.ts'
import type { Chain } from '../../../kit/chain/chains.ts'
import type { EndpointPools } from '../../../kit/chain/endpointPools.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import { readFeedPrices } from '../feedPrices.ts'
import { createPoolReader } from '../poolPrices.ts'
import { findDayBlocks, type BlockTime } from './findDayBlocks.ts'
import { getDaySpan, toAssetDayKey, type PastPriceSource, type UtcDay } from './pastPriceSource.ts'

/** A place in the chain at which contracts are read, and its time in milliseconds. */
type ChainMoment = { block: string; time: number }

const maxRememberedDays = 10_000
/** Days that are read at the same time. */
const daysAtOnce = 8

/**
 * Creates the past prices of the price feeds and pools of a chain, in dollars: those of the last block of a past day, and
 * of the latest block today. Nodes without the state of old blocks have no past prices.
 */
export function createChainPastPrices({ pools, clock }: { pools: EndpointPools; clock: Clock }): PastPriceSource {
  const readPools = createPoolReader({ pools, clock })
  const known = new LRUCache<string, BlockTime>({ max: maxRememberedDays })

  async function findMoments(chain: Chain, days: readonly UtcDay[]): Promise<ReadonlyMap<UtcDay, ChainMoment>> {
    const keyOf = (day: UtcDay): string => `${chain.caipNetworkId}/${day}`
    const now = clock.now()
    const isOver = (day: UtcDay): boolean => getDaySpan(day).end <= now
    const missing = days.filter((day) => isOver(day) && !known.has(keyOf(day)))
    if (missing.length > 0) {
      const found = await findDayBlocks(createChainRpc(pools.get(chain)), missing)
      for (const [day, block] of found) known.set(keyOf(day), block)
    }
    return new Map(
      days.flatMap((day): [UtcDay, ChainMoment][] => {
        if (!isOver(day)) return getDaySpan(day).start <= now ? [[day, { block: 'latest', time: now }]] : []
        const last = known.get(keyOf(day))
        return last === undefined ? [] : [[day, { block: `0x${last.block.toString(16)}`, time: last.time }]]
      }),
    )
  }

  async function readPrices(
    chain: Chain,
    assets: readonly string[],
    at: ChainMoment,
  ): Promise<ReadonlyMap<string, number>> {
    const { priceFeeds = [] } = chain
    const feeds = priceFeeds.filter(({ asset }) => assets.includes(asset.toLowerCase()))
    const prices = new Map(await readFeedPrices(createChainRpc(pools.get(chain)), feeds, at))
    const others = assets.filter((asset) => !prices.has(asset))
    if (others.length > 0)
      for (const [asset, price] of await readPools(chain, others, at.block)) prices.set(asset, price)
    return prices
  }

  return {
    async pastPrices(chain, wanted, currency) {
      const hasPrices = chain.pricePools !== undefined || (chain.priceFeeds ?? []).length > 0
      if (currency !== 'usd' || !hasPrices) return new Map()
      const moments = [...(await findMoments(chain, [...new Set(wanted.map(({ day }) => day))]))]
      const found = new Map<string, number>()
      for (let at = 0; at < moments.length; at += daysAtOnce) {
        await Promise.all(
          moments.slice(at, at + daysAtOnce).map(async ([day, moment]) => {
            const own = wanted.filter((each) => each.day === day)
            const prices = await readPrices(chain, [...new Set(own.map(({ asset }) => asset.toLowerCase()))], moment)
            for (const each of own) {
              const price = prices.get(each.asset.toLowerCase())
              if (price !== undefined) found.set(toAssetDayKey(each), price)
            }
          }),
        )
      }
      return found
    },
  }
}
