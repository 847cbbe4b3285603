import type { Bus } from '../../kit/bus.ts'
import { createCache } from '../../kit/cache.ts'
import { createChainRpc } from '../../kit/chainRpc.ts'
import type { Chain, PriceFeed } from '../../kit/chains.ts'
import type { Clock } from '../../kit/clock.ts'
import { decimal } from '../../kit/decimal.ts'
import type { Pools } from '../../kit/pools.ts'
import { readWord } from '../tokens/abi.ts'
import type { PriceSource } from './priceSource.ts'

/** `latestRoundData()` and `decimals()`, as the ABI writes them. */
const selectors = { latestRoundData: '0xfeaf968c', decimals: '0x313ce567' } as const
/** A feed that said nothing for longer, in milliseconds, tells the past. */
const stale = 86_400_000
/** How long prices are good, in milliseconds. */
const ttl = 30_000
const limit = 1_000
/** Nothing reasonable has more. */
const decimalsLimit = 77n
const words = { answer: 1, updatedAt: 3 } as const

type Told = readonly (readonly [asset: string, price: number])[]

export type FeedPricesParts = { pools: Pools; bus: Bus; clock: Clock }

/**
 * Reads prices in dollars from the contracts that the operator names for a chain. A feed that reverts, is older than a
 * day, or tells a price that is not positive is one that does not know.
 */
export function createFeedPrices({ pools, bus, clock }: FeedPricesParts): PriceSource {
  const cache = createCache<Told>({ clock, ttl, limit, shared: { bus, name: 'feedPrices' } })

  async function readAll(chain: Chain, feeds: readonly PriceFeed[]): Promise<Told> {
    const questions = feeds.flatMap(({ feed: to }) =>
      [selectors.latestRoundData, selectors.decimals].map((data) => ['eth_call', [{ to, data }, 'latest']] as const),
    )
    const answers = await createChainRpc(pools.of(chain)).tryAll(questions)
    return feeds.flatMap(({ asset }, index) => {
      const price = readPrice(answers[2 * index], readWord(answers[2 * index + 1]), clock.now())
      return price === undefined ? [] : [[asset.toLowerCase(), price] as const]
    })
  }

  return {
    async prices(chain, assets, currency) {
      const { caipNetworkId, priceFeeds = [] } = chain
      if (currency !== 'usd' || priceFeeds.length === 0) return new Map()
      const known = new Map(await cache.get(caipNetworkId, () => readAll(chain, priceFeeds)))
      return new Map(
        assets.flatMap((asset): [string, number][] => {
          const price = known.get(asset.toLowerCase())
          return price === undefined ? [] : [[asset, price]]
        }),
      )
    },
  }
}

function readPrice(round: unknown, decimals: bigint | undefined, now: number): number | undefined {
  if (decimals === undefined || decimals > decimalsLimit) return undefined
  if (typeof round !== 'string' || !/^0x[0-9a-f]{320}$/i.test(round)) return undefined
  const [answer = 0n, updatedAt = 0n] = [words.answer, words.updatedAt].map((at) =>
    BigInt(`0x${round.slice(2 + 64 * at, 2 + 64 * (at + 1))}`),
  )
  const price = BigInt.asIntN(256, answer)
  // A contract that is far ahead of time is wrong about more than the time.
  if (price <= 0n || Math.abs(now - Number(updatedAt) * 1_000) > stale) return undefined
  return Number(decimal(price, Number(decimals)))
}
