import type { Bus } from '../../kit/bus/bus.ts'
import { createCache } from '../../kit/cache/cache.ts'
import { createChainRpc, type ChainRpc } from '../../kit/chain/chainRpc.ts'
import type { PriceFeed } from '../../kit/chain/chains.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { formatBaseUnits } from '../../kit/chain/formatBaseUnits.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { parseAbiWord } from '../tokens/abi.ts'
import type { PriceSource } from './priceSource.ts'

/** ABI selectors of `latestRoundData()` and `decimals()`. */
const selectors = { latestRoundData: '0xfeaf968c', decimals: '0x313ce567' } as const
/** Age in milliseconds above which a price is stale. */
const stale = 86_400_000
/** Time to live in milliseconds. */
const ttl = 30_000
const limit = 1_000
/** More decimals would turn every price into zero. */
const decimalsLimit = 77n
const words = { rawPrice: 1, updatedAt: 3 } as const

/** Assets with their prices. */
export type PricedAssets = readonly (readonly [asset: string, price: number])[]

export type FeedPricesDependencies = { pools: EndpointPools; bus: Bus; clock: Clock }

/**
 * Creates the price source of the price feed contracts that the operator configured. Feeds that revert, are older than
 * a day, or report no positive price are ignored.
 */
export function createFeedPrices({ pools, bus, clock }: FeedPricesDependencies): PriceSource {
  const cache = createCache<PricedAssets>({ clock, ttlMs: ttl, maxEntries: limit, shared: { bus, name: 'feedPrices' } })

  return {
    async prices(chain, assets, currency) {
      const { caipNetworkId, priceFeeds = [] } = chain
      if (currency !== 'usd' || priceFeeds.length === 0) return new Map()
      const known = new Map(
        await cache.get(caipNetworkId, () =>
          readFeedPrices(createChainRpc(pools.get(chain)), priceFeeds, { block: 'latest', time: clock.now() }),
        ),
      )
      return new Map(
        assets.flatMap((asset): [string, number][] => {
          const price = known.get(asset.toLowerCase())
          return price === undefined ? [] : [[asset, price]]
        }),
      )
    },
  }
}

/**
 * Reads the dollar prices that feeds report at a block, by assets in lower case.
 *
 * @param at the block as a tag or a hexadecimal number, and its time in milliseconds
 */
export async function readFeedPrices(
  rpc: ChainRpc,
  feeds: readonly PriceFeed[],
  at: { block: string; time: number },
): Promise<PricedAssets> {
  const requests = feeds.flatMap(({ feed: to }) =>
    [selectors.latestRoundData, selectors.decimals].map((data) => ['eth_call', [{ to, data }, at.block]] as const),
  )
  const responses = await rpc.tryBatch(requests)
  return feeds.flatMap(({ asset }, index) => {
    const price = parseFeedPrice(responses[2 * index], parseAbiWord(responses[2 * index + 1]), at.time)
    return price === undefined ? [] : [[asset.toLowerCase(), price] as const]
  })
}

function parseFeedPrice(round: unknown, decimals: bigint | undefined, now: number): number | undefined {
  if (decimals === undefined || decimals > decimalsLimit) return undefined
  if (typeof round !== 'string' || !/^0x[0-9a-f]{320}$/i.test(round)) return undefined
  const [rawPrice = 0n, updatedAt = 0n] = [words.rawPrice, words.updatedAt].map((at) =>
    BigInt(`0x${round.slice(2 + 64 * at, 2 + 64 * (at + 1))}`),
  )
  const price = BigInt.asIntN(256, rawPrice)
  // A time far in the future means that the feed is broken.
  if (price <= 0n || Math.abs(now - Number(updatedAt) * 1_000) > stale) return undefined
  return Number(formatBaseUnits(price, Number(decimals)))
}
