import type { SignInSession } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'

/**
 * Asks the active account to sign in on its network. On success the sign-in state becomes `signed`; on
 * failure it returns to `unsigned` with the error.
 *
 * @throws LatchkeyError `sign-in/not-enabled`, `sign-in/no-account`, `sign-in/no-network`, `sign-in/invalid`,
 *   `sign-in/refused`, `request/rejected`, `connection/aborted` if it was cancelled in the meantime.
 * @example const { data } = await signIn(latchkey)
 */
export async function signIn(latchkey: Latchkey): Promise<SignInSession> {
  const { signInNow } = await import('./signInNow.ts')
  return signInNow(latchkey)
}

/**
 * Ends the session of the active account on its network. The account stays connected, and is asked to sign in on its
 * next visit.
 *
 * @throws LatchkeyError `sign-in/not-enabled`, `sign-in/no-account`; anything of the app's sign-in.
 * @example await signOut(latchkey)
 */
export async function signOut(latchkey: Latchkey): Promise<void> {
  const { signOutNow } = await import('./signOutNow.ts')
  return signOutNow(latchkey)
}
