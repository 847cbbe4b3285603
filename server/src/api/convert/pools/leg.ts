import type { Exchange } from '../../../kit/chain/exchange.ts'
import type { Hex } from '../routeSource.ts'

/** A swap in one pool. The fee is in millionths, for both kinds. */
export type Leg = { kind: 'v2' | 'v3'; fee: number; tokenIn: Hex; tokenOut: Hex }

/** An exchange rate without price impact: multiply by `times`, divide by `by`. */
type Ratio = { times: bigint; by: bigint }

/** The result of a swap in one pool. */
export type LegQuote = { leg: Leg; sold: bigint; received: bigint; gas: bigint; mid: Ratio }

/** A route from one token to another. */
export type Route = { swaps: readonly LegQuote[]; sold: bigint; received: bigint; gas: bigint }

export const millionths = 1_000_000n
/** Gas of the router in addition to the pools: base cost, wrapping and unwrapping. */
const overhead = 75_000n

/** Joins consecutive swaps to a route. */
export function toRoute(...swaps: readonly LegQuote[]): Route {
  const gas = swaps.reduce((sum, swap) => sum + swap.gas, overhead)
  return { swaps, gas, sold: swaps[0]?.sold ?? 0n, received: swaps.at(-1)?.received ?? 0n }
}

/**
 * Gets the price impact in millionths: how much worse the price is than that of a tiny swap. Pool fees are not counted.
 */
export function getPriceImpact({ swaps, sold, received }: Route): bigint {
  const expected = swaps.reduce(
    (out, { leg, mid }) => (out * mid.times * (millionths - BigInt(leg.fee))) / (mid.by * millionths),
    sold * millionths,
  )
  const remaining = received * millionths
  return expected <= remaining ? 0n : ((expected - remaining) * millionths) / expected
}

/** Gets the display name of the pools of a leg. */
export function getExchangeName({ v2, v3 }: Exchange, { kind }: Leg): string {
  return kind === 'v2' ? (v2?.name ?? 'Uniswap v2') : (v3?.name ?? 'Uniswap v3')
}

/** The kinds of pools of an exchange, with their fees in millionths. */
export function getPoolKinds({ v2, v3 }: Exchange): readonly Pick<Leg, 'kind' | 'fee'>[] {
  const { fee: hundredths = 30 } = v2 ?? {}
  const pairs = v2 === undefined ? [] : [{ kind: 'v2' as const, fee: hundredths * 100 }]
  const ranges = v3 === undefined ? [] : (v3.fees ?? [500, 3_000, 10_000])
  return [...pairs, ...ranges.map((fee) => ({ kind: 'v3' as const, fee }))]
}
