import { clientAddress } from '../kit/clientAddress.ts'
import type { Clock } from '../kit/clock.ts'
import type { Admit } from '../kit/endpoint.ts'
import { Problem } from '../kit/problem.ts'
import { createTokenBuckets } from '../kit/tokenBucket.ts'

const rate = { perSecond: 10, burst: 50 }

/** Nobody needs a project to log out; how often one machine may ask is limited all the same. */
export function admitSome({ clock, trustedProxies }: { clock: Clock; trustedProxies: number }): Admit {
  const buckets = createTokenBuckets(rate, clock)
  return (request) => {
    const taken = buckets.of(clientAddress(request.raw, trustedProxies)).take()
    if (!taken.ok) throw new Problem(429, 'rate_limited', 'Too many requests.', { retryAfter: taken.retryAfter })
  }
}
