import { encodeFunctionData, parseAbi } from 'viem'
import type { Hex } from '../../indexer/block.ts'
import type { Bus } from '../../kit/bus.ts'
import { createCache } from '../../kit/cache.ts'
import { createChainRpc, type ChainRpc, type Question } from '../../kit/chainRpc.ts'
import type { Chain, PricePools } from '../../kit/chains.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Exchange } from '../../kit/exchange.ts'
import type { Pools } from '../../kit/pools.ts'
import { createPoolFinder, type PoolFinder, type PoolLeg } from '../convert/pools/findPools.ts'
import { readWord } from '../tokens/abi.ts'
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
/** What a pool has to hold for its price to be believed, in dollars. */
const usualMinimum = 10_000
/** How long prices are good, in milliseconds. */
const ttl = 30_000
const limit = 5_000
const q96 = 2 ** 96
const digits = 12

/** A price of a token in another, and how much of the other the pool holds: both in whole units. */
type Quoted = { price: number; depth: number }

type Told = readonly (readonly [asset: string, price: number])[]

/**
 * Prices in dollars by the pools of a chain's exchange: a token against the one that the operator calls a dollar, or
 * against the wrapped native currency. Of the pools that hold enough, the one that holds most is believed.
 */
export function createPoolPrices({ pools, bus, clock }: { pools: Pools; bus: Bus; clock: Clock }): PriceSource {
  const cache = createCache<Told>({ clock, ttl, limit, shared: { bus, name: 'poolPrices' } })
  const finders = new Map<Exchange, PoolFinder>()

  async function readAll(chain: Chain, assets: readonly string[], named: Named): Promise<Told> {
    const { exchange } = named
    const rpc = createChainRpc(pools.of(chain))
    const finder = finders.get(exchange) ?? createPoolFinder(exchange, rpc, clock)
    finders.set(exchange, finder)
    const tokens = assets.flatMap((asset) => contractOf(asset, named) ?? [])
    const quotes = await quotesIn(rpc, finder, [...new Set([named.wrapped, ...tokens])], chain, named)
    const native = bestOf(quotes.get(named.wrapped)?.stable ?? [], named.minimum)
    return assets.flatMap((asset) => {
      const token = contractOf(asset, named)
      if (token === named.stable) return [[asset, 1] as const]
      const { stable = [], wrapped = [] } = token === undefined ? {} : (quotes.get(token) ?? {})
      const inDollars = native === undefined ? [] : wrapped.map((each) => scaled(each, native))
      const price = bestOf([...stable, ...inDollars], named.minimum)
      return price === undefined ? [] : [[asset, price] as const]
    })
  }

  return {
    async prices(chain, assets, currency) {
      const named = namedBy(chain)
      if (currency !== 'usd' || named === undefined) return new Map()
      const asked = [...new Set(assets.map((asset) => asset.toLowerCase()))].toSorted()
      const load = (): Promise<Told> => readAll(chain, asked, named)
      const known = new Map(await cache.get(`${chain.caipNetworkId}/${asked.join()}`, load))
      return new Map(
        assets.flatMap((asset): [string, number][] => {
          const price = known.get(asset.toLowerCase())
          return price === undefined ? [] : [[asset, price]]
        }),
      )
    },
  }
}

type Named = Required<Pick<PricePools, 'minimum'>> & { exchange: Exchange; stable: Hex; wrapped: Hex }

function namedBy({ exchange, pricePools }: Chain): Named | undefined {
  if (pricePools === undefined || exchange === undefined || exchange === false) return undefined
  const { stable, minimum = usualMinimum } = pricePools
  return { exchange, minimum, stable: lower(stable), wrapped: lower(exchange.wrappedNative) }
}

function contractOf(asset: string, { wrapped }: Named): Hex | undefined {
  if (asset === 'native') return wrapped
  return /^0x[0-9a-f]{40}$/.test(asset) ? lower(asset) : undefined
}

/** Checked by the schema of the configuration, or just now. */
function lower(address: string): Hex {
  return address.toLowerCase() as Hex
}

type Quotes = { stable: Quoted[]; wrapped: Quoted[] }

/** What each token costs in the stable and in the wrapped one, pool by pool; tokens that nobody listed cost nothing. */
async function quotesIn(
  rpc: ChainRpc,
  finder: PoolFinder,
  tokens: readonly Hex[],
  chain: Chain,
  named: Named,
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
  const answers = await rpc.tryAll(legs.flatMap(questionsFor))
  for (const [index, leg] of legs.entries()) {
    const [own, other] = [decimalsOf(leg.tokenIn), decimalsOf(leg.tokenOut)]
    if (own === undefined || other === undefined) continue
    const raw =
      leg.kind === 'v2' ? inPair(leg, answers[2 * index]) : inRange(leg, answers[2 * index], answers[2 * index + 1])
    if (raw === undefined) continue
    const known = quotes.get(leg.tokenIn) ?? { stable: [], wrapped: [] }
    quotes.set(leg.tokenIn, known)
    const quoted = { price: raw.price * 10 ** (own - other), depth: raw.depth / 10 ** other }
    known[leg.tokenOut === named.stable ? 'stable' : 'wrapped'].push(quoted)
  }
  return quotes
}

/** Two for each pool, so that answers are easily found. */
function questionsFor({ kind, pool, tokenOut }: PoolLeg): readonly Question[] {
  const held = encodeFunctionData({ abi, functionName: 'balanceOf', args: [pool] })
  return [
    ['eth_call', [{ to: pool, data: kind === 'v2' ? reading.reserves : reading.slot0 }, 'latest']],
    ['eth_call', [{ to: tokenOut, data: held }, 'latest']],
  ]
}

/** Of the two tokens of a pool, the one with the lower address comes first. */
function isFirst({ tokenIn, tokenOut }: PoolLeg): boolean {
  return tokenIn < tokenOut
}

function inPair(leg: PoolLeg, reserves: unknown): Quoted | undefined {
  if (typeof reserves !== 'string' || !/^0x[0-9a-f]{192}$/i.test(reserves)) return undefined
  const [a = 0, b = 0] = [2, 66].map((at) => Number(BigInt(`0x${reserves.slice(at, at + 64)}`)))
  const [own, other] = isFirst(leg) ? [a, b] : [b, a]
  return own === 0 || other === 0 ? undefined : { price: other / own, depth: other }
}

function inRange(leg: PoolLeg, slot0: unknown, balance: unknown): Quoted | undefined {
  const root = readWord(typeof slot0 === 'string' ? slot0.slice(0, 66) : undefined)
  const held = readWord(balance)
  if (root === undefined || root === 0n || held === undefined || held === 0n) return undefined
  const ratio = (Number(root) / q96) ** 2
  return { price: isFirst(leg) ? ratio : 1 / ratio, depth: Number(held) }
}

function scaled({ price, depth }: Quoted, by: number): Quoted {
  return { price: price * by, depth: depth * by }
}

function bestOf(quotes: readonly Quoted[], minimum: number): number | undefined {
  const [deepest] = quotes.toSorted((a, b) => b.depth - a.depth)
  if (deepest === undefined || deepest.depth < minimum || !Number.isFinite(deepest.price)) return undefined
  // What lies behind is of the arithmetic, not of the pool.
  return Number(deepest.price.toPrecision(digits))
}
