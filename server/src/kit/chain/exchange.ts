import { Type } from '@sinclair/typebox'
import { contractSchema } from '../config/schemas.ts'

/** Pools of two reserves, in the form of Uniswap v2. */
export type PairPools = {
  /** The display name. */
  name?: string
  factory: string
  /** The pool's fee in hundredths of a percent of the input. */
  fee?: number
}

/** Concentrated-liquidity pools, in the form of Uniswap v3. */
export type RangePools = {
  name?: string
  factory: string
  /** The contract that quotes swaps. */
  quoter: string
  /** The fee tiers of the pools, in millionths. */
  fees?: readonly number[]
}

/** On-chain contracts that swap tokens, without an API key. */
export type Exchange = {
  /** The token that stands for the native currency in swaps. */
  wrappedNative: string
  /** The only contract that takes tokens and swaps them, and gets the allowances. */
  router: string
  /** `both` has the functions of `SwapRouter02`; `pairs` those of the v2 router, which only uses v2 pools. */
  routerKind?: 'both' | 'pairs'
  v2?: PairPools
  v3?: RangePools
  /** Intermediate tokens of routes, in addition to the wrapped native currency. */
  between?: readonly string[]
}

const nameSchema = Type.String({ minLength: 1, maxLength: 40 })

const pairPoolsSchema = Type.Object({
  name: Type.Optional(nameSchema),
  factory: contractSchema,
  fee: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
})

const rangePoolsSchema = Type.Object({
  name: Type.Optional(nameSchema),
  factory: contractSchema,
  quoter: contractSchema,
  fees: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 999_999 }), { minItems: 1, maxItems: 8 })),
})

/** The schema of the exchange of a configured chain. */
export const exchangeSchema = Type.Intersect([
  Type.Object({
    wrappedNative: contractSchema,
    router: contractSchema,
    routerKind: Type.Optional(Type.Union([Type.Literal('both'), Type.Literal('pairs')])),
    v2: Type.Optional(pairPoolsSchema),
    v3: Type.Optional(rangePoolsSchema),
    between: Type.Optional(Type.Array(contractSchema, { maxItems: 4 })),
  }),
  Type.Union([Type.Object({ v2: pairPoolsSchema }), Type.Object({ v3: rangePoolsSchema })], {
    message: 'needs pools of version 2 or 3',
  }),
])
