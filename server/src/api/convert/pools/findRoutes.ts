import type { ChainRpc } from '../../../kit/chain/chainRpc.ts'
import type { Exchange } from '../../../kit/chain/exchange.ts'
import type { Hex } from '../routeSource.ts'
import { quotePools, type LegRequest } from './quotePools.ts'
import type { PoolFinder } from './poolFinder.ts'
import { toRoute, type Route, type LegQuote } from './leg.ts'

export type RouteFinderDependencies = { exchange: Exchange; rpc: ChainRpc; finder: PoolFinder }

/** A request for routes between two contracts at a block. */
export type RouteRequest = { from: Hex; to: Hex; amount: bigint; block: bigint; gasPrice: bigint }

/**
 * The found routes, best first. `leadsNowhere`: no pool reaches the target. `isDust`: the amount is too small to
 * receive anything.
 */
export type FoundRoutes = { routes: readonly Route[]; leadsNowhere: boolean; isDust: boolean }

/**
 * Finds routes from one token to another, through one pool or two with a common token. Routes are ranked by what
 * remains after gas. Takes two batch requests.
 */
export async function findRoutes(dependencies: RouteFinderDependencies, wanted: RouteRequest): Promise<FoundRoutes> {
  const { exchange, rpc, finder } = dependencies
  const { from, to, amount, block } = wanted
  const middles = getIntermediateTokens(exchange).filter((middle) => middle !== from && middle !== to)
  const pools = await finder(getPairs(wanted, middles))
  const legsTo = (tokenIn: Hex, tokenOut: Hex, into: bigint): readonly LegRequest[] =>
    pools.filter((leg) => leg.tokenIn === tokenIn && leg.tokenOut === tokenOut).map((leg) => ({ leg, amount: into }))
  const first = await quotePools(exchange, rpc, block, [
    ...legsTo(from, to, amount),
    ...middles.flatMap((middle) => legsTo(from, middle, amount)),
  ])
  // A larger intermediate amount always gives a larger result, so only the best first half matters.
  const halves = middles
    .flatMap((middle) => getBestSwap(first.filter(({ leg }) => leg.tokenOut === middle)))
    .filter(({ received }) => received > 0n)
  const second = await quotePools(
    exchange,
    rpc,
    block,
    halves.flatMap(({ leg, received }) => legsTo(leg.tokenOut, to, received)),
  )
  const routes = [
    ...first.filter(({ leg }) => leg.tokenOut === to).map((swap) => toRoute(swap)),
    ...halves.flatMap((half) =>
      second.filter(({ leg }) => leg.tokenIn === half.leg.tokenOut).map((swap) => toRoute(half, swap)),
    ),
  ].filter(({ received }) => received > 0n)
  return {
    routes: rankRoutes(routes, wanted, exchange, first),
    leadsNowhere: pools.every(({ tokenOut }) => tokenOut !== to),
    isDust: routes.length === 0 && [...first, ...second].some(({ received }) => received === 0n),
  }
}

/** The pairs of tokens that a route may use. */
export function getPairs({ from, to }: RouteRequest, middles: readonly Hex[]): readonly (readonly [Hex, Hex])[] {
  return [[from, to], ...middles.flatMap((middle) => [[from, middle] as const, [middle, to] as const])]
}

/** The tokens that a route may use between its two ends. */
export function getIntermediateTokens({ wrappedNative, between = [] }: Exchange): readonly Hex[] {
  // Checked by the schema of the configuration.
  return [...new Set([wrappedNative, ...between].map((address) => address.toLowerCase() as Hex))]
}

function getBestSwap(swaps: readonly LegQuote[]): readonly LegQuote[] {
  return swaps.toSorted((a, b) => compareAmounts(b.received, a.received)).slice(0, 1)
}

/** Ranks routes. Gas is converted to the received token if both prices are known, and ignored otherwise. */
function rankRoutes(
  routes: readonly Route[],
  { from, to, amount, gasPrice }: RouteRequest,
  { wrappedNative }: Exchange,
  first: readonly LegQuote[],
): readonly Route[] {
  const native = wrappedNative.toLowerCase()
  const most = routes.reduce((best, { received }) => (received > best ? received : best), 0n)
  const worth =
    from === native ? amount : (getBestSwap(first.filter(({ leg }) => leg.tokenOut === native))[0]?.received ?? 0n)
  const left = ({ received, gas }: Route): bigint => {
    const cost = gas * gasPrice
    if (to === native) return received - cost
    return worth === 0n ? received : received - (cost * most) / worth
  }
  return routes.toSorted((a, b) => compareAmounts(left(b), left(a)))
}

/** Compares two amounts, the smaller one first. */
export function compareAmounts(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other)
}
