import type { ConcurrencyLimiter } from './concurrencyLimiter.ts'
import type { LocalFirstLimiter } from './localFirstLimiter.ts'
import type { RateLimiter, RateLimiters } from './rateLimiters.ts'
import type { Rate } from './tokenBucket.ts'

/**
 * A site with one /48 has 65,536 networks of the size /64, and limits per /64 alone would count once for each. A /48 may have as
 * much as this number of /64, so that customers of a provider who share one do not notice.
 */
export const networksPerPrefix = 16

const network = /^([0-9a-f]*:[0-9a-f]*:[0-9a-f]*):[0-9a-f]*::\/64$/

/**
 * Also limits the /48 that an IPv6 network belongs to. Keys that are no IPv6 network, in the form of `clientAddress`, are limited as
 * before.
 *
 * @example const rateLimiters = limitWidePrefixes(createInProcessRateLimiters(clock))
 */
export function limitWidePrefixes(rateLimiters: RateLimiters): RateLimiters {
  return {
    ...rateLimiters,
    create(name, rate, options) {
      const own = rateLimiters.create(name, rate, options)
      return limitPrefixes(own, rateLimiters.create(`${name}/48`, widen(rate), options))
    },
    createLocalFirst(name, rate) {
      const own = rateLimiters.createLocalFirst(name, rate)
      return limitLocalPrefixes(own, rateLimiters.createLocalFirst(`${name}/48`, widen(rate)))
    },
    createConcurrency: (name) =>
      limitOpenPrefixes(rateLimiters.createConcurrency(name), rateLimiters.createConcurrency(`${name}/48`)),
  }
}

function limitPrefixes(own: RateLimiter, wide: RateLimiter): RateLimiter {
  return {
    async take(key, tokens) {
      const result = await own.take(key, tokens)
      const prefix = widePrefix(key)
      return result.ok && prefix !== undefined ? wide.take(prefix, tokens) : result
    },
  }
}

function limitLocalPrefixes(own: LocalFirstLimiter, wide: LocalFirstLimiter): LocalFirstLimiter {
  return {
    take(key, tokens) {
      const result = own.take(key, tokens)
      const prefix = widePrefix(key)
      return result.ok && prefix !== undefined ? wide.take(prefix, tokens) : result
    },
  }
}

function limitOpenPrefixes(own: ConcurrencyLimiter, wide: ConcurrencyLimiter): ConcurrencyLimiter {
  return {
    async acquire(key, maximum) {
      const release = await own.acquire(key, maximum)
      const prefix = widePrefix(key)
      if (release === undefined || prefix === undefined) return release
      const releaseWide = await wide.acquire(prefix, maximum * networksPerPrefix)
      if (releaseWide === undefined) {
        release()
        return undefined
      }
      return () => {
        release()
        releaseWide()
      }
    },
  }
}

function widen({ perSecond, burst }: Rate): Rate {
  return { perSecond: perSecond * networksPerPrefix, burst: burst * networksPerPrefix }
}

/** The /48 of an IPv6 network in the form of `clientAddress`; `undefined` for other keys. */
export function widePrefix(key: string): string | undefined {
  // Most keys are no networks, and some are checked for each message.
  if (!key.endsWith('/64')) return undefined
  const [, prefix] = network.exec(key) ?? []
  return prefix === undefined ? undefined : `${prefix}::/48`
}
