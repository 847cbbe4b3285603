import type { Latchkey } from '../instance/latchkey.ts'
import type { SignInState } from './signInState.ts'

/**
 * Looks up the session of the active account. Idempotent.
 *
 * @returns the sign-in state once the lookup is done
 * @example const { status } = await settleSignIn(latchkey)
 */
export async function settleSignIn(latchkey: Latchkey): Promise<SignInState> {
  const { findSession } = await import('./findSession.ts')
  return findSession(latchkey)
}
