import type { LocalToken } from '../evm/deploy.ts'

/** The two initial amounts of a pool, by token symbol or `native`. */
export type PoolPlan = {
  kind: 'v2' | 'v3'
  /** The fee of a v3 pool, in millionths. */
  fee?: 500 | 3_000
  holds: readonly [readonly [asset: string, whole: bigint], readonly [asset: string, whole: bigint]]
}

/**
 * ETH costs 2,500 dollars and KEY costs 10 in every pool. The KEY/dollar pool is small, so that small swaps use it and
 * large ones go through ETH. ETH/dollar is best in v3; KEY/ETH exists in both versions.
 */
export const poolPlans: readonly PoolPlan[] = [
  {
    kind: 'v2',
    holds: [
      ['native', 200n],
      ['LUSD', 500_000n],
    ],
  },
  {
    kind: 'v2',
    holds: [
      ['native', 80n],
      ['KEY', 20_000n],
    ],
  },
  {
    kind: 'v2',
    holds: [
      ['KEY', 500n],
      ['LUSD', 5_000n],
    ],
  },
  {
    kind: 'v3',
    fee: 500,
    holds: [
      ['native', 400n],
      ['LUSD', 1_000_000n],
    ],
  },
  {
    kind: 'v3',
    fee: 3_000,
    holds: [
      ['native', 200n],
      ['KEY', 50_000n],
    ],
  },
]

/** Base units of a whole amount. */
export function unitsOf(asset: string, whole: bigint, tokens: readonly LocalToken[]): bigint {
  const decimals = asset === 'native' ? 18 : (tokens.find(({ symbol }) => symbol === asset)?.decimals ?? 0)
  return whole * 10n ** BigInt(decimals)
}

/** The square root of a price, times 2^96, as v3 pools store it. */
export function sqrtPrice(amount0: bigint, amount1: bigint): bigint {
  return squareRoot((amount1 << 192n) / amount0)
}

function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
