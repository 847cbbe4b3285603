import type { Namespace } from '@latchkey/protocol'
import { useMemo, useState } from 'react'
import { useCurrentAppKit } from '../react/hooks/useCurrentAppKit.ts'
import type { ConnectedWallet } from '../walletButton/connectWalletById.ts'
import { createAppKitWalletButton } from '../walletButton/createAppKitWalletButton.ts'

export type UseAppKitWalletOptions = {
  namespace?: Namespace
  onSuccess?(wallet: ConnectedWallet): void
  onError?(error: unknown): void
}

type Attempt =
  | { status: 'idle' | 'pending' }
  | { status: 'connected'; data: ConnectedWallet }
  | { status: 'failed'; error: unknown }

/** The state of the last attempt, and the function that starts one. */
export type AppKitWalletState = {
  data: ConnectedWallet | undefined
  error: unknown
  isReady: boolean
  isPending: boolean
  isError: boolean
  isSuccess: boolean
  /** Never rejects: the error is in the state, and `onError` receives it. */
  connect(walletId: string): Promise<void>
}

/**
 * Connects one wallet, for a button of your own.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const { connect, isPending } = useAppKitWallet()
 */
export function useAppKitWallet({ namespace, onSuccess, onError }: UseAppKitWalletOptions = {}): AppKitWalletState {
  useCurrentAppKit()
  const button = useMemo(() => createAppKitWalletButton({ namespace }), [namespace])
  const [attempt, setAttempt] = useState<Attempt>({ status: 'idle' })
  return {
    data: attempt.status === 'connected' ? attempt.data : undefined,
    error: attempt.status === 'failed' ? attempt.error : undefined,
    isReady: true,
    isPending: attempt.status === 'pending',
    isError: attempt.status === 'failed',
    isSuccess: attempt.status === 'connected',
    async connect(walletId) {
      setAttempt({ status: 'pending' })
      try {
        const data = await button.connect(walletId)
        setAttempt({ status: 'connected', data })
        onSuccess?.(data)
      } catch (error) {
        setAttempt({ status: 'failed', error })
        onError?.(error)
      }
    },
  }
}

/**
 * Returns the function that opens the form for the address of an e-mail login.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const { updateEmail } = useAppKitUpdateEmail()
 */
export function useAppKitUpdateEmail(): { updateEmail(): Promise<void> } {
  useCurrentAppKit()
  return { updateEmail: () => createAppKitWalletButton().updateEmail() }
}
