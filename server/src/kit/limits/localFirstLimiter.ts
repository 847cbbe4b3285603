import type { Clock } from '../runtime/clock.ts'
import { createTokenBuckets, type Rate, type TokenResult } from './tokenBucket.ts'

/** A rate limit that decides without waiting, for requests that are too many for a round trip each. */
export type LocalFirstLimiter = {
  /**
   * Takes tokens from the bucket of a key if it has enough.
   *
   * @param tokens 1 by default
   */
  take(key: string, tokens?: number): TokenResult
}

/**
 * Subtracts what this process took from the shared buckets.
 *
 * @param taken tokens by key
 * @returns the tokens that the shared buckets still have, negative if all processes together took too many
 */
export type SubtractShared = (taken: ReadonlyMap<string, number>) => Promise<ReadonlyMap<string, number>>

export type LocalFirstOptions = {
  rate: Rate
  clock: Clock
  /** By default no other process has buckets of this name. */
  subtractShared?: SubtractShared
}

/** Milliseconds between two reports. */
const reportMs = 250
/** A key is reported when it has taken this part of its burst, so most keys cost one round trip for many requests. */
const reportedPart = 1 / 4
/** Keys that took less than is reported. More are forgotten, which gives each a part of a burst at most. */
const maxUnreported = 100_000

/**
 * Creates a limit that decides from buckets in memory, and adopts the shared level of a bucket soon after. Until then, each
 * process allows a burst of its own. In the long run, all processes together allow the rate once.
 *
 * While the shared buckets are unreachable, each process limits on its own.
 *
 * @example const limiter = createLocalFirstLimiter({ rate: { perSecond: 15, burst: 60 }, clock: systemClock })
 */
export function createLocalFirstLimiter({ rate, clock, subtractShared }: LocalFirstOptions): LocalFirstLimiter {
  const buckets = createTokenBuckets(rate, clock)
  const report = subtractShared && createReport(rate, subtractShared, (key, level) => buckets.get(key).limitTo(level))
  return {
    take(key, tokens = 1) {
      const result = buckets.get(key).take(tokens)
      if (result.ok) report?.(key, tokens)
      return result
    },
  }
}

/** Returns a function that counts taken tokens, and reports them from time to time. */
function createReport(
  { burst }: Rate,
  subtractShared: SubtractShared,
  adopt: (key: string, level: number) => void,
): (key: string, tokens: number) => void {
  const unreported = new Map<string, number>()
  let due = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  async function send(): Promise<void> {
    const taken = due
    due = new Map()
    timer = undefined
    try {
      for (const [key, level] of await subtractShared(taken)) adopt(key, level)
    } catch {
      // Each process limits on its own meanwhile.
    }
  }

  return (key, tokens) => {
    const sum = (unreported.get(key) ?? 0) + tokens
    if (sum < burst * reportedPart && !due.has(key)) {
      if (unreported.size >= maxUnreported) unreported.clear()
      unreported.set(key, sum)
      return
    }
    unreported.delete(key)
    due.set(key, (due.get(key) ?? 0) + sum)
    // Real time: it only spaces out the reports.
    timer ??= setTimeout(() => void send(), reportMs).unref()
  }
}
