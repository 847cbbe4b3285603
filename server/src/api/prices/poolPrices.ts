import { encodeFunctionData, parseAbi } from 'viem'
import type { Hex } from '../../indexer/block.ts'
import type { Bus } from '../../kit/bus/bus.ts'
import { createChainRpc, type ChainRpc, type ChainRequest } from '../../kit/chain/chainRpc.ts'
import type { Chain, PricePools } from '../../kit/chain/chains.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Exchange } from '../../kit/chain/exchange.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { createPoolFinder, type PoolFinder, type PoolLeg } from '../convert/pools/poolFinder.ts'
import { parseAbiWord } from '../tokens/abi.ts'
import type { PricedAssets } from './feedPrices.ts'
import { createPriceCache } from './priceCache.ts'
import type { PriceSource } from './priceSource.ts'

const abi = parseAbi([
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function slot0() view returns (uint160)',
  'function balanceOf(address) view returns (uint256)',
])
const reading = {
  reserves: encodeFunctionData({ abi, functionName: 'getReserves' }),
  slot0: encodeFunctionData({ abi, functionName: 'slot0' }),
} as const
/** Minimum liquidity of a pool in dollars. */
const usualMinimum = 10_000
const q96 = 2 ** 96
const digits = 12

/** A price in another token, and how much of that token the pool holds, both in whole units. */
type PoolPrice = { price: number; depth: number }

/**
 * Creates the price source of on-chain pools: a token against the configured stablecoin or the wrapped native currency.
 * The pool with the most liquidity wins.
 */
export function createPoolPrices({ pools, bus, clock }: { pools: EndpointPools; bus: Bus; clock: Clock }): PriceSource {
  const cache = createPriceCache({ bus, clock, name: 'poolPrices' })
  const readPrices = createPoolReader({ pools, clock })
  return {
    async prices(chain, assets, currency) {
      if (currency !== 'usd' || chain.pricePools === undefined) return new Map()
      const requested = assets.map((asset) => asset.toLowerCase())
      const known = await cache.get(
        chain.caipNetworkId,
        requested,
        async (some) => new Map(await readPrices(chain, some, 'latest')),
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
 * Reads the dollar prices of assets from the pools of a chain at a block. Assets without a price are left out.
 *
 * @param assets in lower case
 * @param block a tag or a hexadecimal number
 */
export type PoolReader = (chain: Chain, assets: readonly string[], block: string) => Promise<PricedAssets>

/** Creates a reader that remembers the addresses of pools. */
export function createPoolReader({ pools, clock }: { pools: EndpointPools; clock: Clock }): PoolReader {
  const finders = new Map<Exchange, PoolFinder>()
  return async (chain, assets, block) => {
    const named = getPricingPools(chain)
    if (named === undefined) return []
    const { exchange } = named
    const rpc = createChainRpc(pools.get(chain))
    const finder = finders.get(exchange) ?? createPoolFinder(exchange, rpc, clock)
    finders.set(exchange, finder)
    const tokens = assets.flatMap((asset) => contractOf(asset, named) ?? [])
    const requested = [...new Set([named.wrapped, ...tokens])]
    const quotes = await getPoolPrices({ rpc, finder, chain, named, block }, requested)
    const native = getDeepestPrice(quotes.get(named.wrapped)?.stable ?? [], named.minimum)
    return assets.flatMap((asset) => {
      const token = contractOf(asset, named)
      if (token === named.stable) return [[asset, 1] as const]
      const { stable = [], wrapped = [] } = token === undefined ? {} : (quotes.get(token) ?? {})
      const inDollars = native === undefined ? [] : wrapped.map((each) => scalePrice(each, native))
      const price = getDeepestPrice([...stable, ...inDollars], named.minimum)
      return price === undefined ? [] : [[asset, price] as const]
    })
  }
}

type PricingPools = Required<Pick<PricePools, 'minimum'>> & { exchange: Exchange; stable: Hex; wrapped: Hex }

function getPricingPools({ exchange, pricePools }: Chain): PricingPools | undefined {
  if (pricePools === undefined || exchange === undefined || exchange === false) return undefined
  const { stable, minimum = usualMinimum } = pricePools
  return { exchange, minimum, stable: toLowerCaseHex(stable), wrapped: toLowerCaseHex(exchange.wrappedNative) }
}

function contractOf(asset: string, { wrapped }: PricingPools): Hex | undefined {
  if (asset === 'native') return wrapped
  return /^0x[0-9a-f]{40}$/.test(asset) ? toLowerCaseHex(asset) : undefined
}

/** Checked by the schema of the configuration, or just now. */
function toLowerCaseHex(address: string): Hex {
  return address.toLowerCase() as Hex
}

type PoolReading = { rpc: ChainRpc; finder: PoolFinder; chain: Chain; named: PricingPools; block: string }

type Quotes = { stable: PoolPrice[]; wrapped: PoolPrice[] }

/** Gets the prices of tokens in the stablecoin and in the wrapped native currency. Unlisted tokens have none. */
async function getPoolPrices(
  { rpc, finder, chain, named, block }: PoolReading,
  tokens: readonly Hex[],
): Promise<ReadonlyMap<Hex, Quotes>> {
  const decimalsOf = (token: Hex): number | undefined =>
    token === named.wrapped
      ? chain.nativeCurrency.decimals
      : chain.tokens.find(({ address }) => address.toLowerCase() === token)?.decimals
  const quotes = new Map<Hex, Quotes>()
  const wanted = tokens
    .filter((token) => decimalsOf(token) !== undefined)
    .flatMap((token) =>
      [named.stable, named.wrapped].filter((other) => other !== token).map((other) => [token, other] as const),
    )
  const legs = await finder(wanted)
  const responses = await rpc.tryBatch(legs.flatMap((leg) => toPoolRequests(leg, block)))
  for (const [index, leg] of legs.entries()) {
    const [own, other] = [decimalsOf(leg.tokenIn), decimalsOf(leg.tokenOut)]
    if (own === undefined || other === undefined) continue
    const raw =
      leg.kind === 'v2'
        ? readPairPrice(leg, responses[2 * index])
        : readRangePrice(leg, responses[2 * index], responses[2 * index + 1])
    if (raw === undefined) continue
    const known = quotes.get(leg.tokenIn) ?? { stable: [], wrapped: [] }
    quotes.set(leg.tokenIn, known)
    const quoted = { price: raw.price * 10 ** (own - other), depth: raw.depth / 10 ** other }
    known[leg.tokenOut === named.stable ? 'stable' : 'wrapped'].push(quoted)
  }
  return quotes
}

/** Creates two requests per pool. */
function toPoolRequests({ kind, pool, tokenOut }: PoolLeg, block: string): readonly ChainRequest[] {
  const held = encodeFunctionData({ abi, functionName: 'balanceOf', args: [pool] })
  return [
    ['eth_call', [{ to: pool, data: kind === 'v2' ? reading.reserves : reading.slot0 }, block]],
    ['eth_call', [{ to: tokenOut, data: held }, block]],
  ]
}

/** True if the input token has the lower address, which makes it the first token of the pool. */
function isLowerToken({ tokenIn, tokenOut }: PoolLeg): boolean {
  return tokenIn < tokenOut
}

function readPairPrice(leg: PoolLeg, reserves: unknown): PoolPrice | undefined {
  if (typeof reserves !== 'string' || !/^0x[0-9a-f]{192}$/i.test(reserves)) return undefined
  const [a = 0, b = 0] = [2, 66].map((at) => Number(BigInt(`0x${reserves.slice(at, at + 64)}`)))
  const [own, other] = isLowerToken(leg) ? [a, b] : [b, a]
  return own === 0 || other === 0 ? undefined : { price: other / own, depth: other }
}

function readRangePrice(leg: PoolLeg, slot0: unknown, balance: unknown): PoolPrice | undefined {
  const root = parseAbiWord(typeof slot0 === 'string' ? slot0.slice(0, 66) : undefined)
  const held = parseAbiWord(balance)
  if (root === undefined || root === 0n || held === undefined || held === 0n) return undefined
  const ratio = (Number(root) / q96) ** 2
  return { price: isLowerToken(leg) ? ratio : 1 / ratio, depth: Number(held) }
}

function scalePrice({ price, depth }: PoolPrice, by: number): PoolPrice {
  return { price: price * by, depth: depth * by }
}

function getDeepestPrice(quotes: readonly PoolPrice[], minimum: number): number | undefined {
  const [deepest] = quotes.toSorted((a, b) => b.depth - a.depth)
  if (deepest === undefined || deepest.depth < minimum || !Number.isFinite(deepest.price)) return undefined
  // Further digits are rounding errors.
  return Number(deepest.price.toPrecision(digits))
}
