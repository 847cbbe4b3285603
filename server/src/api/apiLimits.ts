import type { Rate } from '../kit/limits/tokenBucket.ts'

/** The rate limits of one client address. */
export type ApiLimits = {
  /** Calls that are forwarded to a chain. Each item of a batch counts. */
  rpc: Rate
  /** Balances, histories and other reads. */
  reads: Rate
  /** Pages of the wallet list, and its pictures, which a page shows dozens of. */
  wallets: Rate
  /** Pictures of NFTs and names. A page of NFTs shows many. */
  pictures: Rate
  /** Reports of spam. */
  spamReports: Rate
  /** Registrations of names. */
  names: { perHour: number }
  /** New addresses of chains that index only requested addresses. Each chain counts. */
  newAddresses: Rate
  /** The same of all clients of a project together. */
  newAddressesOfProject: Rate
}

const strict: ApiLimits = {
  rpc: { perSecond: 50, burst: 200 },
  reads: { perSecond: 10, burst: 50 },
  wallets: { perSecond: 50, burst: 500 },
  pictures: { perSecond: 20, burst: 200 },
  spamReports: { perSecond: 0.2, burst: 20 },
  names: { perHour: 5 },
  newAddresses: { perSecond: 0.2, burst: 500 },
  // 10,000 a day.
  newAddressesOfProject: { perSecond: 0.12, burst: 10_000 },
}

/** The local world runs on one machine, so tests and benchmarks share one address. */
const plenty: Rate = { perSecond: 5_000, burst: 20_000 }
const generous: ApiLimits = {
  rpc: plenty,
  reads: plenty,
  wallets: plenty,
  pictures: plenty,
  spamReports: plenty,
  names: { perHour: 10_000 },
  newAddresses: plenty,
  newAddressesOfProject: plenty,
}

/** Gets the limits of a profile. */
export function getApiLimits(profile: 'public' | 'local'): ApiLimits {
  return profile === 'local' ? generous : strict
}
