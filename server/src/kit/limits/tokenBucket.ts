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

/** A class, because closures take four times the memory, and each idle connection has a bucket. */
class Bucket implements TokenBucket {
  readonly #rate: Rate
  readonly #clock: Clock
  #tokens: number
  #filledAt: number

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate
    this.#clock = clock
    this.#tokens = rate.burst
    this.#filledAt = clock.now()
  }

  take(wanted = 1): TokenResult {
    this.#fill()
    const missing = wanted - this.#tokens
    if (missing > 0) return { ok: false, retryAfter: Math.ceil(missing / this.#rate.perSecond) }
    this.#tokens -= wanted
    return accepted
  }

  limitTo(most: number): void {
    this.#fill()
    this.#tokens = Math.min(this.#tokens, most)
  }

  isFull(): boolean {
    this.#fill()
    return this.#tokens >= this.#rate.burst
  }

  #fill(): void {
    const now = this.#clock.now()
    // A clock that is set back must not empty the bucket.
    const seconds = Math.max(0, now - this.#filledAt) / 1000
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + seconds * this.#rate.perSecond)
    this.#filledAt = now
  }
}

/** Creates a full bucket. */
export function createTokenBucket(rate: Rate, clock: Clock): TokenBucket {
  return new Bucket(rate, clock)
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
