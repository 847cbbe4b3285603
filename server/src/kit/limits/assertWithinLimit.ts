import { Problem } from '../http/problem.ts'
import type { RateLimiter } from './rateLimiters.ts'

/**
 * Takes tokens for a request.
 *
 * @param key usually the client's address
 * @throws Problem 429 with `Retry-After` if the limit is exceeded
 * @example await assertWithinLimit(limiter, clientAddress(request.raw, trustedProxies))
 */
export async function assertWithinLimit(limiter: RateLimiter, key: string, tokens = 1): Promise<void> {
  const result = await limiter.take(key, tokens)
  if (!result.ok) throw new Problem(429, 'rate_limited', 'Too many requests.', { retryAfter: result.retryAfter })
}
