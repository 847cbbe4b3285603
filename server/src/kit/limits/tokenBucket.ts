import type { Clock } from '../runtime/clock.ts'

/** A rate limit: `perSecond` in the long run, `burst` at once. */
export type Rate = { perSecond: number; burst: number }

/** The result of taking tokens. `retryAfter` is in whole seconds. */
export type TokenResult = { ok: true } | { ok: false; retryAfter: number }

/** Allows a steady rate with bursts. */
export type TokenBucket = {
  /**
   * Takes tokens if there are enough; takes none otherwise.
   *
   * @param tokens 1 by default
   */
  take(tokens?: number): TokenResult
  /** Lowers the number of tokens, which may be negative. Never adds any. */
  limitTo(most: number): void
  /** True if a new bucket would hold the same number of tokens. */
  isFull(): boolean
}

const accepted: TokenResult = Object.freeze({ ok: true })

/** Creates a full bucket. */
export function createTokenBucket(rate: Rate, clock: Clock): TokenBucket {
  let tokens = rate.burst
  let filledAt = clock.now()

  function fill(): void {
    const now = clock.now()
    // A clock that is set back must not empty the bucket.
    const seconds = Math.max(0, now - filledAt) / 1000
    tokens = Math.min(rate.burst, tokens + seconds * rate.perSecond)
    filledAt = now
  }

  return {
    take(wanted = 1) {
      fill()
      if (tokens < wanted) return { ok: false, retryAfter: Math.ceil((wanted - tokens) / rate.perSecond) }
      tokens -= wanted
      return accepted
    },
    limitTo(most) {
      fill()
      tokens = Math.min(tokens, most)
    },
    isFull() {
      fill()
      return tokens >= rate.burst
    },
  }
}

const bucketsPerCleanup = 10_000

/** Creates one bucket per key, such as a client's address. Full buckets are deleted from time to time. */
export function createTokenBuckets(rate: Rate, clock: Clock): { get(key: string): TokenBucket } {
  const buckets = new Map<string, TokenBucket>()
  let cleanupAt = bucketsPerCleanup

  function deleteFullBuckets(): void {
    for (const [name, bucket] of buckets) if (bucket.isFull()) buckets.delete(name)
    cleanupAt = buckets.size + bucketsPerCleanup
  }

  return {
    get(key) {
      const existing = buckets.get(key)
      if (existing !== undefined) return existing
      if (buckets.size >= cleanupAt) deleteFullBuckets()
      const bucket = createTokenBucket(rate, clock)
      buckets.set(key, bucket)
      return bucket
    },
  }
}
