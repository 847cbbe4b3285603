import type { Exchange } from '../../../kit/exchange.ts'
import type { Hex } from '../routeSource.ts'

/** A swap in one pool. The fee is in millionths, for both kinds. */
export type Leg = { kind: 'v2' | 'v3'; fee: number; tokenIn: Hex; tokenOut: Hex }

/** How an amount becomes another where nothing moves the price: times one, divided by the other. */
type Ratio = { times: bigint; by: bigint }

/** What a pool would do for a swap. */
export type Swapped = { leg: Leg; received: bigint; gas: bigint; mid: Ratio }

/** A way from one token to another. */
export type Route = { swaps: readonly Swapped[]; received: bigint; gas: bigint }

export const million = 1_000_000n
/** What the router takes besides pools, in units of gas: beginning, wrapping and unwrapping. */
const overhead = 75_000n

/** Puts swaps that follow each other together. */
export function routeOf(...swaps: readonly Swapped[]): Route {
  const gas = swaps.reduce((sum, swap) => sum + swap.gas, overhead)
  return { swaps, gas, received: swaps.at(-1)?.received ?? 0n }
}

/** How much worse the price is than that of a tiny swap, in millionths: the fee of pools is paid by both. */
export function impactOf({ swaps, received }: Route, amount: bigint): bigint {
  const expected = swaps.reduce(
    (out, { leg, mid }) => (out * mid.times * (million - BigInt(leg.fee))) / (mid.by * million),
    amount * million,
  )
  const kept = received * million
  return expected <= kept ? 0n : ((expected - kept) * million) / expected
}

/** How people call the pools of a leg. */
export function exchangeName({ v2, v3 }: Exchange, { kind }: Leg): string {
  return kind === 'v2' ? (v2?.name ?? 'Uniswap v2') : (v3?.name ?? 'Uniswap v3')
}

/** The kinds of pools of an exchange, with their fees in millionths. */
export function poolKinds({ v2, v3 }: Exchange): readonly Pick<Leg, 'kind' | 'fee'>[] {
  const { fee: hundredths = 30 } = v2 ?? {}
  const pairs = v2 === undefined ? [] : [{ kind: 'v2' as const, fee: hundredths * 100 }]
  const ranges = v3 === undefined ? [] : (v3.fees ?? [500, 3_000, 10_000])
  return [...pairs, ...ranges.map((fee) => ({ kind: 'v3' as const, fee }))]
}
