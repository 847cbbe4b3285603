import { ServiceRefusal } from '../../services/serviceRequest.ts'

/**
 * Turns the refusal of a poll for its rate into `undefined`: nothing is known yet. Many users can share one address and its
 * rate limit, so such a refusal must not end a login.
 *
 * @throws all other errors unchanged
 * @example const result = await attempt.poll().catch(ignoreRateLimit)
 */
export function ignoreRateLimit(error: unknown): undefined {
  if (error instanceof ServiceRefusal && error.status === 429) return undefined
  throw error
}
