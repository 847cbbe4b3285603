import type { FastifyRequest } from 'fastify'
import type { Projects } from '../kit/http/projects.ts'
import { Problem } from '../kit/http/problem.ts'

/**
 * Accepts requests whose proof and access token are in the body, next to the content. Such a request has no header that
 * makes a browser ask for permission first, which would take a round trip for each path.
 *
 * Without that question of the browser, the origin is checked here. A page of another origin has neither the key
 * of the proof nor a token, and no cookie stands in for them.
 *
 * @throws Problem 403 `origin`
 */
export function unwrapSimpleRequest(request: FastifyRequest, projects: Pick<Projects, 'isKnownOrigin'>): void {
  const { body, headers } = request
  if (typeof body !== 'object' || body === null || !('dpop' in body && 'content' in body)) return
  if (headers.dpop !== undefined || headers.authorization !== undefined) return
  const { origin } = headers
  if (origin !== undefined && !projects.isKnownOrigin(origin)) {
    throw new Problem(403, 'origin', 'Requests of this page are not accepted.')
  }
  if (typeof body.dpop === 'string') headers.dpop = body.dpop
  if ('accessToken' in body && typeof body.accessToken === 'string') headers.authorization = `DPoP ${body.accessToken}`
  request.body = body.content
}
