import type { SignInSession } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'

/**
 * Asks the active account to sign in on its network. The modal closes when that worked, and stays on the sign-in, or
 * comes back to it, when it did not.
 *
 * @throws LatchkeyError `sign-in/not-enabled`, `sign-in/no-account`, `sign-in/no-network`, `sign-in/invalid`,
 *   `sign-in/refused`, `request/rejected`, `connection/aborted` when it was cancelled meanwhile.
 * @example const { data } = await signIn(latchkey)
 */
export async function signIn(latchkey: Latchkey): Promise<SignInSession> {
  const { signInNow } = await import('./signInNow.ts')
  return signInNow(latchkey)
}

/**
 * Ends the session of the active account on its network. It stays connected, and is asked to sign in again the next time
 * it comes here.
 *
 * @throws LatchkeyError `sign-in/not-enabled`, `sign-in/no-account`; anything of the app's sign-in.
 */
export async function signOut(latchkey: Latchkey): Promise<void> {
  const { signOutNow } = await import('./signOutNow.ts')
  return signOutNow(latchkey)
}
