import type { Clock } from './clock.ts'

/** How often something may be done: `perSecond` in the long run, `burst` at once. */
export type Rate = { perSecond: number; burst: number }

/** Allows a steady rate with bursts. */
export type TokenBucket = {
  /** Takes tokens when there are enough; otherwise takes none and answers the seconds until there will be. */
  take(tokens?: number): { ok: true } | { ok: false; retryAfter: number }
  /** Whether nothing has been taken for so long that a new bucket would be the same. */
  isFull(): boolean
}

/** One bucket, full at the beginning. */
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
    take: (wanted = 1) => {
      fill()
      if (tokens < wanted) return { ok: false, retryAfter: Math.ceil((wanted - tokens) / rate.perSecond) }
      tokens -= wanted
      return { ok: true }
    },
    isFull: () => {
      fill()
      return tokens >= rate.burst
    },
  }
}

const bucketsPerCleaning = 10_000

/** One bucket per key, such as a client's address; full ones are forgotten. */
export function createTokenBuckets(rate: Rate, clock: Clock): { of(key: string): TokenBucket } {
  const buckets = new Map<string, TokenBucket>()
  let cleanAt = bucketsPerCleaning

  return {
    of: (key) => {
      const known = buckets.get(key)
      if (known !== undefined) return known
      if (buckets.size >= cleanAt) {
        for (const [name, bucket] of buckets) if (bucket.isFull()) buckets.delete(name)
        cleanAt = buckets.size + bucketsPerCleaning
      }
      const bucket = createTokenBucket(rate, clock)
      buckets.set(key, bucket)
      return bucket
    },
  }
}
