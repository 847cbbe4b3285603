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

const requestRate = { perSecond: 10, burst: 50 }

/**
 * Creates a guard that limits requests by client address: 10 a second, 50 at once. Endpoints of the key services need no
 * project, so this limit replaces the project's. Without the store of the limits, requests are refused: keys need the service,
 * but an attacker may not get the limit once per process [P-05].
 *
 * @param name names the limit, such as `auth/requests`
 * @param rate another rate, for an endpoint that other servers use
 */
export function rateLimitByIp(
  name: string,
  { clock, trustedProxies, rateLimiters = createInProcessRateLimiters(clock) }: RateLimitByIpOptions,
  rate: { readonly perSecond: number; readonly burst: number } = requestRate,
): RequestGuard {
  const limiter = rateLimiters.create(name, rate, { whileUnavailable: 'refuse' })
  return (request) => assertWithinLimit(limiter, clientAddress(request.raw, trustedProxies))
}
