import type { ChainRpc } from '../../../kit/chainRpc.ts'
import type { Exchange } from '../../../kit/exchange.ts'
import type { Hex } from '../routeSource.ts'
import { askPools, type LegQuestion } from './askPools.ts'
import type { PoolFinder } from './findPools.ts'
import { routeOf, type Route, type Swapped } from './leg.ts'

export type RoutesParts = { exchange: Exchange; rpc: ChainRpc; finder: PoolFinder }

/** What is looked for: ways between two contracts, at a block. */
type Wanted = { from: Hex; to: Hex; amount: bigint; block: bigint; gasPrice: bigint }

/** Ways that were found, the best first; else whether no pool leads there, or the amount is so small that nothing comes. */
export type Found = { routes: readonly Route[]; leadsNowhere: boolean; isDust: boolean }

/**
 * Finds the ways from one token to another, in one pool or in two with a common token between them: best is what is left
 * when the gas is paid. Two rounds of questions, each in one batch.
 */
export async function findRoutes(parts: RoutesParts, wanted: Wanted): Promise<Found> {
  const { exchange, rpc, finder } = parts
  const { from, to, amount, block } = wanted
  const middles = middlesOf(exchange).filter((middle) => middle !== from && middle !== to)
  const pools = await finder([
    [from, to],
    ...middles.flatMap((middle) => [[from, middle] as const, [middle, to] as const]),
  ])
  const legsTo = (tokenIn: Hex, tokenOut: Hex, into: bigint): readonly LegQuestion[] =>
    pools.filter((leg) => leg.tokenIn === tokenIn && leg.tokenOut === tokenOut).map((leg) => ({ leg, amount: into }))
  const first = await askPools(exchange, rpc, block, [
    ...legsTo(from, to, amount),
    ...middles.flatMap((middle) => legsTo(from, middle, amount)),
  ])
  // Whatever follows gives more for more, so that only the best way to each token between matters.
  const halves = middles
    .flatMap((middle) => bestOf(first.filter(({ leg }) => leg.tokenOut === middle)))
    .filter(({ received }) => received > 0n)
  const second = await askPools(
    exchange,
    rpc,
    block,
    halves.flatMap(({ leg, received }) => legsTo(leg.tokenOut, to, received)),
  )
  const routes = [
    ...first.filter(({ leg }) => leg.tokenOut === to).map((swap) => routeOf(swap)),
    ...halves.flatMap((half) =>
      second.filter(({ leg }) => leg.tokenIn === half.leg.tokenOut).map((swap) => routeOf(half, swap)),
    ),
  ].filter(({ received }) => received > 0n)
  return {
    routes: ranked(routes, wanted, exchange, first),
    leadsNowhere: pools.every(({ tokenOut }) => tokenOut !== to),
    isDust: routes.length === 0 && [...first, ...second].some(({ received }) => received === 0n),
  }
}

function middlesOf({ wrappedNative, between = [] }: Exchange): readonly Hex[] {
  // Checked by the schema of the configuration.
  return [...new Set([wrappedNative, ...between].map((address) => address.toLowerCase() as Hex))]
}

function bestOf(swaps: readonly Swapped[]): readonly Swapped[] {
  return swaps.toSorted((a, b) => compare(b.received, a.received)).slice(0, 1)
}

/** Gas is counted in the token that is received: by what was seen of both prices, else not at all. */
function ranked(
  routes: readonly Route[],
  { from, to, amount, gasPrice }: Wanted,
  { wrappedNative }: Exchange,
  first: readonly Swapped[],
): readonly Route[] {
  const native = wrappedNative.toLowerCase()
  const most = routes.reduce((best, { received }) => (received > best ? received : best), 0n)
  const worth =
    from === native ? amount : (bestOf(first.filter(({ leg }) => leg.tokenOut === native))[0]?.received ?? 0n)
  const left = ({ received, gas }: Route): bigint => {
    const cost = gas * gasPrice
    if (to === native) return received - cost
    return worth === 0n ? received : received - (cost * most) / worth
  }
  return routes.toSorted((a, b) => compare(left(b), left(a)))
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other)
}
