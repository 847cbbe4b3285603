import { signIn, signOut, type SignInState, type InstanceAction } from '@latchkey/core'
import { dismissSignIn } from '@latchkey/modal'
import type { SignInSession } from '@latchkey/protocol'
import { useLatchkey } from '../../context.ts'
import { useStore } from '../../useStore.ts'
import { useAction, type Action } from './useAction.ts'

/** A click handler receives an event, which is not an option. */
const signInNow: InstanceAction<[], SignInSession> = (latchkey) => signIn(latchkey)

/**
 * Returns the sign-in state of the active account and network, and functions that change it.
 *
 * @returns `state`, the state of the last call, and the functions that sign in; `data` is the session. Errors are those of
 * `signIn` of `@latchkey/core`. `signIn` is the same as `mutateAsync`.
 * @example
 * const { state, mutate, signOut } = useSignIn()
 * if (state.status === 'signed') return <button onClick={signOut}>Sign out</button>
 * return <button onClick={() => mutate()}>Sign in</button>
 */
export function useSignIn(): Action<[], SignInSession> & {
  /** The sign-in of the account, which also changes without a call: by the modal, or when the session ends. */
  state: SignInState
  signIn(): Promise<SignInSession>
  signOut(): Promise<void>
  /** Dismisses the sign-in. Disconnects if signing in is required. */
  cancel(): Promise<void>
} {
  const latchkey = useLatchkey()
  const action = useAction(signInNow)
  return {
    ...action,
    state: useStore(latchkey.signIn),
    signIn: action.mutateAsync,
    signOut: () => signOut(latchkey),
    cancel: () => dismissSignIn(latchkey),
  }
}
