import { Problem } from '../../kit/http/problem.ts'
import { askAuthService } from './askAuthService.ts'

/** Returns true while the auth service has a user. @throws Problem 503 `user` if the auth service cannot be reached */
export type HasUser = (user: string) => Promise<boolean>

/** The path of the auth service's endpoint for the existence of a user. */
export const userStatePath = '/auth/v1/users/state'

/**
 * Creates the user check of a service in another process. A user who exists can refuse a request, and one who doesn't grants none.
 *
 * @param url the base URL of the auth service
 */
export function createRemoteUsers(url: string): HasUser {
  return async (user) => {
    try {
      return await askAuthService({ url, path: userStatePath, body: { user }, field: 'exists' })
    } catch (cause) {
      throw new Problem(503, 'user', 'The login can’t be checked right now. Try again in a moment.', { cause })
    }
  }
}
