import { signIn, signOut, type SignInState } from '@latchkey/core'
import { dismissSignIn } from '@latchkey/modal'
import type { SignInSession } from '@latchkey/protocol'
import { useLatchkey } from '../context.ts'
import { useStore } from '../useStore.ts'

/**
 * Returns the sign-in state of the active account and network, and functions that change it.
 *
 * @example
 * const { state, signOut } = useSignIn()
 * if (state.status === 'signed') return <button onClick={signOut}>Sign out</button>
 */
export function useSignIn(): {
  state: SignInState
  /** @throws LatchkeyError as `signIn` of `@latchkey/core` */
  signIn(): Promise<SignInSession>
  signOut(): Promise<void>
  /** Dismisses the sign-in. Disconnects if signing in is required. */
  cancel(): Promise<void>
} {
  const latchkey = useLatchkey()
  return {
    state: useStore(latchkey.signIn),
    signIn: () => signIn(latchkey),
    signOut: () => signOut(latchkey),
    cancel: () => dismissSignIn(latchkey),
  }
}
