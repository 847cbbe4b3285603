import type { Rate } from '../kit/tokenBucket.ts'

/** What one address may ask of the data service. */
export type ApiLimits = {
  /** Calls that are passed on to a chain, each item of a batch by itself. */
  rpc: Rate
  /** Balances and the like. */
  reads: Rate
  /** Pages of the wallet list. */
  wallets: Rate
  /** How many names an account may register. */
  names: { perHour: number }
}

const strict: ApiLimits = {
  rpc: { perSecond: 50, burst: 200 },
  reads: { perSecond: 10, burst: 50 },
  wallets: { perSecond: 20, burst: 100 },
  names: { perHour: 5 },
}

/** One machine is everybody here: a test or a bench may do what a hundred visitors do. */
const plenty: Rate = { perSecond: 5_000, burst: 20_000 }
const generous: ApiLimits = { rpc: plenty, reads: plenty, wallets: plenty, names: { perHour: 10_000 } }

/** The limits of a profile. */
export function apiLimits(profile: 'public' | 'local'): ApiLimits {
  return profile === 'local' ? generous : strict
}
