import type { Clock } from '../runtime/clock.ts'
import { createConcurrencyLimiter, type ConcurrencyLimiter } from './concurrencyLimiter.ts'
import { createLocalFirstLimiter, type LocalFirstLimiter } from './localFirstLimiter.ts'
import { createTokenBuckets, type Rate, type TokenResult } from './tokenBucket.ts'

/** A rate limit with one token bucket per key, such as a client's address. */
export type RateLimiter = {
  /**
   * Takes tokens from the bucket of a key if it has enough.
   *
   * @param tokens 1 by default
   * @throws Problem 503 `rate_limited` if the limit refuses requests while its store is unreachable
   */
  take(key: string, tokens?: number): Promise<TokenResult>
}

/**
 * Behaviour while the store that the processes share is unreachable. By default each process limits on its own, so an
 * attacker gets the limit once per process. A limit that protects keys refuses all requests instead.
 */
export type RateLimiterOptions = { readonly whileUnavailable?: 'limit on its own' | 'refuse' }

/** The rate limits of the server. Every implementation passes `describeRateLimiters`. */
export type RateLimiters = {
  /**
   * Creates a rate limit. Where several processes share a store, limits of the same name share their buckets.
   *
   * @param name unique in the server, such as `relay/handshakes`
   */
  create(name: string, rate: Rate, options?: RateLimiterOptions): RateLimiter
  /**
   * Creates a rate limit that decides without waiting. Where several processes share a store, they share the rate, but each
   * has a burst of its own.
   *
   * @param name unique in the server, such as `relay/publishes`
   */
  createLocalFirst(name: string, rate: Rate): LocalFirstLimiter
  /**
   * Creates a limit of what is open at the same time. Where several processes share a store, limits of the same name share
   * their counts. While the store is unreachable, each process limits on its own.
   *
   * @param name unique in the server, such as `relay/connections`
   */
  createConcurrency(name: string): ConcurrencyLimiter
  /** False if each process limits its clients on its own. */
  readonly spansProcesses: boolean
  /** False while the store that the processes share is unreachable. */
  isReachable(): boolean
  close(): Promise<void>
}

/** Creates the rate limits of a server that runs as one process. */
export function createInProcessRateLimiters(clock: Clock): RateLimiters {
  return {
    create(_name, rate) {
      const buckets = createTokenBuckets(rate, clock)
      return { take: async (key, tokens) => buckets.get(key).take(tokens) }
    },
    createLocalFirst: (_name, rate) => createLocalFirstLimiter({ rate, clock }),
    createConcurrency: () => createConcurrencyLimiter(),
    spansProcesses: false,
    isReachable: () => true,
    close: async () => undefined,
  }
}
