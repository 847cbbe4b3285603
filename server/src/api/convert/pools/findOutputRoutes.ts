import type { Hex } from '../routeSource.ts'
import {
  compareAmounts,
  getIntermediateTokens,
  getPairs,
  type FoundRoutes,
  type RouteFinderDependencies,
  type RouteRequest,
} from './findRoutes.ts'
import { toRoute, type LegQuote, type Route } from './leg.ts'
import { quotePools, type LegRequest } from './quotePools.ts'

/**
 * Finds routes that give an exact amount, cheapest first, through one pool or two of the same kind: the router can't
 * execute an exact output in pools of different kinds. The last pool is quoted first. Takes two batch requests.
 */
export async function findOutputRoutes(
  { exchange, rpc, finder }: RouteFinderDependencies,
  wanted: RouteRequest,
): Promise<FoundRoutes> {
  const { from, to, amount, block } = wanted
  const middles = getIntermediateTokens(exchange).filter((middle) => middle !== from && middle !== to)
  const pools = await finder(getPairs(wanted, middles))
  const legsTo = (tokenIn: Hex, tokenOut: Hex, outOf: bigint): readonly LegRequest[] =>
    pools
      .filter((leg) => leg.tokenIn === tokenIn && leg.tokenOut === tokenOut)
      .map((leg) => ({ leg, amount: outOf, exact: 'output' as const }))
  const last = await quotePools(exchange, rpc, block, [
    ...legsTo(from, to, amount),
    ...middles.flatMap((middle) => legsTo(middle, to, amount)),
  ])
  // A smaller intermediate amount always costs less, so only the cheapest second half of each kind matters.
  const halves = middles.flatMap((middle) =>
    (['v2', 'v3'] as const).flatMap((kind) =>
      getCheapest(last.filter(({ leg }) => leg.tokenIn === middle && leg.kind === kind)),
    ),
  )
  const first = await quotePools(
    exchange,
    rpc,
    block,
    halves.flatMap(({ leg, sold }) => legsTo(from, leg.tokenIn, sold).filter((half) => half.leg.kind === leg.kind)),
  )
  const routes = [
    ...last.filter(({ leg }) => leg.tokenIn === from).map((swap) => toRoute(swap)),
    ...halves.flatMap((half) =>
      first
        .filter(({ leg }) => leg.tokenOut === half.leg.tokenIn && leg.kind === half.leg.kind)
        .map((swap) => toRoute(swap, half)),
    ),
  ]
  return {
    routes: rankRoutes(routes, wanted, exchange.wrappedNative.toLowerCase(), first),
    leadsNowhere: pools.every(({ tokenOut }) => tokenOut !== to),
    isDust: false,
  }
}

function getCheapest(swaps: readonly LegQuote[]): readonly LegQuote[] {
  return swaps.toSorted((a, b) => compareAmounts(a.sold, b.sold)).slice(0, 1)
}

/** Ranks routes. Gas is converted to the sold token if a price is known, and ignored otherwise. */
function rankRoutes(
  routes: readonly Route[],
  { from, to, amount, gasPrice }: RouteRequest,
  native: string,
  first: readonly LegQuote[],
): readonly Route[] {
  const [cheapest] = routes.toSorted((a, b) => compareAmounts(a.sold, b.sold))
  const [priced] = getCheapest(first.filter(({ leg }) => leg.tokenOut === native))
  const price = to === native ? { sold: cheapest?.sold ?? 0n, received: amount } : priced
  const cost = ({ sold, gas }: Route): bigint => {
    if (from === native) return sold + gas * gasPrice
    return price === undefined ? sold : sold + (gas * gasPrice * price.sold) / price.received
  }
  return routes.toSorted((a, b) => compareAmounts(cost(a), cost(b)))
}
