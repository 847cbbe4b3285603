import { useConnectButtonState } from '../button/useConnectButtonState.ts'

/**
 * Returns the state of the modal to connect a wallet, and a function that opens it.
 *
 * @returns `openConnectModal` is undefined while the user is connected, and signed in if the app has a sign-in
 * @throws Error outside of a `RainbowKitProvider`
 * @example
 * const { openConnectModal } = useConnectModal()
 * if (openConnectModal !== undefined) return <button onClick={openConnectModal}>Connect</button>
 */
export function useConnectModal(): { connectModalOpen: boolean; openConnectModal: (() => void) | undefined } {
  const { account, authenticationStatus, connectModalOpen, openConnectModal } = useConnectButtonState({
    showBalance: false,
    showName: false,
  })
  const isSignedIn = authenticationStatus === undefined || authenticationStatus === 'authenticated'
  const isDone = account !== undefined && isSignedIn
  return { connectModalOpen, openConnectModal: isDone ? undefined : openConnectModal }
}
