import type { FastifyRequest } from 'fastify'
import { clientAddress } from '../kit/clientAddress.ts'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'
import type { Projects } from '../kit/projects.ts'
import { createTokenBuckets, type Rate } from '../kit/tokenBucket.ts'

/** Lets a request in or throws the Problem that says why not. `cost` counts the items of a batch. */
export type Guard = (request: FastifyRequest, cost?: number) => void

export type GuardParts = { projects: Projects; clock: Clock; trustedProxies: number; rate: Rate }

/** Admits by project and origin, and limits how often one address may ask; each guard counts for itself. */
export function createGuard({ projects, clock, trustedProxies, rate }: GuardParts): Guard {
  const buckets = createTokenBuckets(rate, clock)
  return (request, cost = 1) => {
    const verdict = projects.check(projectIdOf(request)?.toLowerCase(), request.headers.origin)
    if (verdict === 'missing') throw new Problem(400, 'projectId', 'The query parameter projectId is missing.')
    if (verdict === 'unknown') throw new Problem(401, 'authentication', 'This project is not known here.')
    if (verdict === 'origin-not-allowed') {
      throw new Problem(403, 'origin', 'This origin is not allowed for the project.')
    }
    const taken = buckets.of(clientAddress(request.raw, trustedProxies)).take(cost)
    if (!taken.ok) throw new Problem(429, 'rate_limited', 'Too many requests.', { retryAfter: taken.retryAfter })
  }
}

/** Some calls carry it in their body. */
function projectIdOf({ query, body }: FastifyRequest): string | undefined {
  const [named, sent] = [query, body].map((place: unknown) =>
    typeof place === 'object' && place !== null ? Reflect.get(place, 'projectId') : undefined,
  )
  const id = named ?? sent
  return typeof id === 'string' ? id : undefined
}
