import type { LocalToken } from '../deploy.ts'

/** Two amounts that a pool begins with: the native currency is `native`, tokens are called by their symbol. */
export type PoolPlan = {
  kind: 'v2' | 'v3'
  /** Of version 3: what the pool keeps, in millionths. */
  fee?: 500 | 3_000
  holds: readonly [readonly [asset: string, whole: bigint], readonly [asset: string, whole: bigint]]
}

/**
 * An ether is 2,500 dollars and a key 10 everywhere. The pool of keys and dollars is so small that little is best swapped in
 * it and much by way of ether; ether and dollars are best swapped in version 3, and keys and ether are in both.
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

/** The square root of a price as pools of version 3 keep it: times 2^96. */
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
