import type { FastifyRequest } from 'fastify'
import type { Admission } from '../../kit/http/defineEndpoint.ts'
import { clientAddress } from '../../kit/http/clientAddress.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Projects } from '../../kit/http/projects.ts'
import { assertWithinLimit } from '../../kit/limits/assertWithinLimit.ts'
import type { LoadShedder } from '../../kit/limits/createLoadShedder.ts'
import type { RateLimiter } from '../../kit/limits/rateLimiters.ts'

/** Admits a request or throws the Problem with the reason. The cost is the number of items of a batch. */
export type ProjectGuard = (request: FastifyRequest, admission?: Admission) => Promise<void>

export type ProjectGuardOptions = {
  projects: Projects
  trustedProxies: number
  limiter: RateLimiter
  writeLimiter?: RateLimiter
  shedder?: LoadShedder | undefined
}

/**
 * Admits requests by project and origin, and limits the rate of each client address. Each guard counts separately.
 *
 * @param options.writeLimiter limits requests that change what the server stores; the other limiter by default
 * @param options.shedder refuses requests during an overload; none by default
 */
export function createProjectGuard(options: ProjectGuardOptions): ProjectGuard {
  const { projects, trustedProxies, limiter, writeLimiter = limiter, shedder } = options
  return async (request, { cost = 1, isPublic = false, isWrite = false } = {}) => {
    shedder?.assertNotOverloaded()
    const problem = isPublic ? undefined : findProjectProblem(projects, getProjectId(request), request.headers.origin)
    if (problem !== undefined) throw problem
    await assertWithinLimit(isWrite ? writeLimiter : limiter, clientAddress(request.raw, trustedProxies), cost)
  }
}

/** Finds the problem of a project id and origin, if any. */
export function findProjectProblem(
  projects: Projects,
  projectId: string | undefined,
  origin: string | undefined,
): Problem | undefined {
  const verdict = projects.check(projectId?.toLowerCase(), origin)
  if (verdict === 'missing') return new Problem(400, 'projectId', 'The query parameter projectId is missing.')
  if (verdict === 'unknown') return new Problem(401, 'authentication', 'This project is unknown.')
  if (verdict === 'ok') return undefined
  return new Problem(403, 'origin', 'This origin is not allowed for the project.')
}

/** Some clients send the project id in the body. */
function getProjectId({ query, body }: FastifyRequest): string | undefined {
  const [named, sent] = [query, body].map((place: unknown) =>
    typeof place === 'object' && place !== null ? Reflect.get(place, 'projectId') : undefined,
  )
  const id = named ?? sent
  return typeof id === 'string' ? id : undefined
}
