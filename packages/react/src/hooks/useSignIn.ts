import { cancelSignIn, signIn, signOut, type SignInState } from '@latchkey/core'
import type { SignInSession } from '@latchkey/protocol'
import { useLatchkey } from '../context.ts'
import { useStore } from '../useStore.ts'

/**
 * Where signing in stands for the active account and network, and what to do about it.
 *
 * @example
 * const { state, signOut } = useSignIn()
 * if (state.status === 'signed') return <button onClick={signOut}>Sign out</button>
 */
export function useSignIn(): {
  state: SignInState
  /** @throws LatchkeyError as `signIn` of `@latchkey/core` does. */
  signIn(): Promise<SignInSession>
  signOut(): Promise<void>
  /** Ends the connection where signing in is required. */
  cancel(): Promise<void>
} {
  const latchkey = useLatchkey()
  return {
    state: useStore(latchkey.signIn),
    signIn: () => signIn(latchkey),
    signOut: () => signOut(latchkey),
    cancel: () => cancelSignIn(latchkey),
  }
}
