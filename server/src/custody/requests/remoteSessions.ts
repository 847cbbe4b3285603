import { Problem } from '../../kit/http/problem.ts'
import { askAuthService } from './askAuthService.ts'

/** Returns true while a session has not ended. @throws Problem 503 `token` if the auth service cannot be reached */
export type IsSessionActive = (session: string) => Promise<boolean>

/** The path of the auth service's endpoint for the state of a session. */
export const sessionStatePath = '/auth/v1/sessions/state'

/**
 * Creates the session check of a service in another process. Nothing is cached, so a session that has ended is refused at once.
 * The check only ever refuses: it grants nothing that the token does not.
 *
 * @param url the base URL of the auth service
 */
export function createRemoteSessions(url: string): IsSessionActive {
  return async (session) => {
    try {
      return await askAuthService({ url, path: sessionStatePath, body: { session }, field: 'active' })
    } catch (cause) {
      throw new Problem(503, 'token', 'Sessions can’t be checked right now. Try again in a moment.', { cause })
    }
  }
}
