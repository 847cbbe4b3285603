import { z } from 'zod'

/** Pools of two reserves, as version 2 of Uniswap and its kin have them. */
export type PairPools = {
  /** What people call them. */
  name?: string
  factory: string
  /** What a pool keeps of what goes in, in hundredths of a percent. */
  fee?: number
}

/** Pools of ranges, as version 3 of Uniswap and its kin have them. */
export type RangePools = {
  name?: string
  factory: string
  /** Tells what a swap would give. */
  quoter: string
  /** The fees that pools come with, in millionths. */
  fees?: readonly number[]
}

/** Contracts that swap tokens of a chain, without asking anybody for a key. */
export type Exchange = {
  /** The token that the native currency is swapped as. */
  wrappedNative: string
  /** The one contract that takes tokens and swaps them: whom allowances are for. */
  router: string
  /** Which functions it has: those of `SwapRouter02`, or those of the router of version 2, which knows its pools alone. */
  routerKind?: 'both' | 'pairs'
  v2?: PairPools
  v3?: RangePools
  /** Tokens that routes may lead through, besides the wrapped native currency. */
  between?: readonly string[]
}

const contract = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be a contract')
const name = z.string().min(1).max(40)

/** The exchange of a configured chain. */
export const exchangeSchema = z
  .object({
    wrappedNative: contract,
    router: contract,
    routerKind: z.enum(['both', 'pairs']).optional(),
    v2: z
      .object({ name: name.optional(), factory: contract, fee: z.number().int().min(0).max(1_000).optional() })
      .optional(),
    v3: z
      .object({
        name: name.optional(),
        factory: contract,
        quoter: contract,
        fees: z.array(z.number().int().min(1).max(999_999)).min(1).max(8).optional(),
      })
      .optional(),
    between: z.array(contract).max(4).optional(),
  })
  .refine(({ v2, v3 }) => v2 !== undefined || v3 !== undefined, 'needs pools of version 2 or 3')
