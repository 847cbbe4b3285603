import { clientAddress } from '../../kit/http/clientAddress.ts'
import type { RequestGuard } from '../../kit/http/defineEndpoint.ts'
import { assertWithinLimit } from '../../kit/limits/assertWithinLimit.ts'
import { createInProcessRateLimiters, type RateLimiters } from '../../kit/limits/rateLimiters.ts'
import type { Clock } from '../../kit/runtime/clock.ts'

export type RateLimitByIpOptions = {
  clock: Clock
  trustedProxies: number
  /** Limits that the processes of the service share. Each process limits on its own if omitted. */
  rateLimiters?: RateLimiters
}

const rate = { perSecond: 10, burst: 50 }

/**
 * Creates a guard that limits requests by client address: 10 a second, 50 at once. Endpoints of the key services need no
 * project, so this limit replaces the project's.
 *
 * @param name names the limit, such as `auth/requests`
 */
export function rateLimitByIp(
  name: string,
  { clock, trustedProxies, rateLimiters = createInProcessRateLimiters(clock) }: RateLimitByIpOptions,
): RequestGuard {
  const limiter = rateLimiters.create(name, rate)
  return (request) => assertWithinLimit(limiter, clientAddress(request.raw, trustedProxies))
}
