import { isLatchkeyError, parseAccountId, parseChainId } from '@latchkey/protocol'
import { useSignIn } from '@latchkey/react'
import { useEffect, useRef } from 'react'
import { getAddress } from 'viem'
import { useConnectKit } from '../provider/ConnectKitContext.ts'
import type { SIWESession } from '../signIn/SIWEProvider.tsx'

/** Functions that are called when the user signs in and out. */
export type UseSIWEOptions = { onSignIn?(session?: SIWESession): void; onSignOut?(): void }

/** The sign-in of the connected account. */
export type SIWEState = {
  isSignedIn: boolean
  /** The session. Undefined without one. */
  data: SIWESession | undefined
  status: 'error' | 'idle' | 'loading' | 'rejected' | 'success'
  /** The failure of the last attempt. Null without one. */
  error: Error | null
  isError: boolean
  isIdle: boolean
  isLoading: boolean
  isRejected: boolean
  isSuccess: boolean
  /** False for an app without `SIWEProvider`. */
  isReady: boolean
  /** Asks for a signature. Resolves with the session, or with undefined if the user declined. */
  signIn(): Promise<SIWESession | undefined>
  /** Ends the session. Resolves with false if that failed. */
  signOut(): Promise<boolean>
  reset(): void
}

/**
 * Returns the sign-in of the connected account, and functions that change it.
 *
 * @param options functions that are called when the user signs in and out
 * @returns the session, the state of the last attempt, and the functions
 * @throws Error outside of a `ConnectKitProvider`
 * @example
 * const { isSignedIn, signIn, signOut } = useSIWE()
 * <button onClick={isSignedIn ? signOut : signIn}>{isSignedIn ? 'Sign out' : 'Sign in'}</button>
 */
export function useSIWE({ onSignIn, onSignOut }: UseSIWEOptions = {}): SIWEState {
  const { hasSignIn } = useConnectKit()
  const { state, error, status: attempt, mutateAsync, signOut, reset } = useSignIn()
  const isSignedIn = state.status === 'signed'
  const session = isSignedIn ? toSession(state.account) : undefined
  useSignInCallbacks(session, { onSignIn, onSignOut })
  const status = toStatus(isSignedIn, state.status === 'signing' || attempt === 'pending', error)
  return {
    isSignedIn,
    data: session,
    status,
    error: error instanceof Error ? error : null,
    isError: status === 'error',
    isIdle: status === 'idle',
    isLoading: status === 'loading',
    isRejected: status === 'rejected',
    isSuccess: status === 'success',
    isReady: hasSignIn,
    signIn: () =>
      mutateAsync().then(
        ({ data }) => ({ address: getAddress(data.accountAddress), chainId: referenceOf(data.chainId) }),
        () => undefined,
      ),
    signOut: () =>
      signOut().then(
        () => true,
        () => false,
      ),
    reset,
  }
}

function toStatus(isSignedIn: boolean, isPending: boolean, error: unknown): SIWEState['status'] {
  if (isSignedIn) return 'success'
  if (isPending) return 'loading'
  if (isLatchkeyError(error, 'request/rejected')) return 'rejected'
  return error === undefined || error === null ? 'idle' : 'error'
}

function toSession(account: Parameters<typeof parseAccountId>[0]): SIWESession {
  const { address, chainId } = parseAccountId(account)
  return { address: getAddress(address), chainId: referenceOf(chainId) }
}

function referenceOf(chainId: Parameters<typeof parseChainId>[0]): number {
  return Number(parseChainId(chainId).reference)
}

/** Calls the functions of an app when the session begins and ends. */
function useSignInCallbacks(session: SIWESession | undefined, { onSignIn, onSignOut }: UseSIWEOptions): void {
  const known = useRef<SIWESession>(undefined)
  useEffect(() => {
    const [before, after] = [known.current, session]
    known.current = after
    if (before === undefined && after !== undefined) onSignIn?.(after)
    if (before !== undefined && after === undefined) onSignOut?.()
  }, [session, onSignIn, onSignOut])
}
