import { useConnectButtonState } from '../button/useConnectButtonState.ts'

/**
 * Returns the state of the modal of the account, and a function that opens it.
 *
 * @returns `openAccountModal` is undefined without a wallet
 * @throws Error outside of a `RainbowKitProvider`
 * @example
 * const { openAccountModal } = useAccountModal()
 * if (openAccountModal !== undefined) return <button onClick={openAccountModal}>Account</button>
 */
export function useAccountModal(): { accountModalOpen: boolean; openAccountModal: (() => void) | undefined } {
  const { account, accountModalOpen, openAccountModal } = useConnectButtonState({ showBalance: false, showName: false })
  return { accountModalOpen, openAccountModal: account === undefined ? undefined : openAccountModal }
}
