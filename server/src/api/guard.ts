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
    const problem = projectProblem(projects, projectIdOf(request), request.headers.origin)
    if (problem !== undefined) throw problem
    const taken = buckets.of(clientAddress(request.raw, trustedProxies)).take(cost)
    if (!taken.ok) throw new Problem(429, 'rate_limited', 'Too many requests.', { retryAfter: taken.retryAfter })
  }
}

/** What is wrong with a project and an origin together, if anything. */
export function projectProblem(
  projects: Projects,
  projectId: string | undefined,
  origin: string | undefined,
): Problem | undefined {
  const verdict = projects.check(projectId?.toLowerCase(), origin)
  if (verdict === 'missing') return new Problem(400, 'projectId', 'The query parameter projectId is missing.')
  if (verdict === 'unknown') return new Problem(401, 'authentication', 'This project is not known here.')
  if (verdict === 'ok') return undefined
  return new Problem(403, 'origin', 'This origin is not allowed for the project.')
}

/** Some calls carry it in their body. */
function projectIdOf({ query, body }: FastifyRequest): string | undefined {
  const [named, sent] = [query, body].map((place: unknown) =>
    typeof place === 'object' && place !== null ? Reflect.get(place, 'projectId') : undefined,
  )
  const id = named ?? sent
  return typeof id === 'string' ? id : undefined
}
