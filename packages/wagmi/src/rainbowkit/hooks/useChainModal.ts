import { useConnectButtonState } from '../button/useConnectButtonState.ts'

/**
 * Returns the state of the modal of networks, and a function that opens it.
 *
 * @returns `openChainModal` is undefined without a wallet
 * @throws Error outside of a `RainbowKitProvider`
 * @example
 * const { openChainModal } = useChainModal()
 * if (openChainModal !== undefined) return <button onClick={openChainModal}>Networks</button>
 */
export function useChainModal(): { chainModalOpen: boolean; openChainModal: (() => void) | undefined } {
  const { account, chainModalOpen, openChainModal } = useConnectButtonState({ showBalance: false, showName: false })
  return { chainModalOpen, openChainModal: account === undefined ? undefined : openChainModal }
}
