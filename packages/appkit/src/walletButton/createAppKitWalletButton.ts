import type { Namespace } from '@latchkey/protocol'
import { openModal } from '@latchkey/modal'
import { currentAppKit, requireAppKit } from '../instance/currentAppKit.ts'
import { connectWalletById, type ConnectedWallet } from './connectWalletById.ts'

export type AppKitWalletButton = {
  /** True once `createAppKit` was called. */
  isReady(): boolean
  subscribeIsReady(callback: (state: { isReady: boolean }) => void): () => void
  /**
   * Connects one wallet.
   *
   * @param walletId of a wallet button, `walletConnect`, `email`, or a social login
   * @throws LatchkeyError `appkit/missing` before `createAppKit`; `connection/aborted`, `connection/rejected`
   */
  connect(walletId: string): Promise<ConnectedWallet>
  /** Opens the form that changes the address of an e-mail login. */
  updateEmail(): Promise<void>
}

/**
 * Creates functions that connect one wallet, for a button of your own.
 *
 * @example
 * const walletButton = createAppKitWalletButton({ namespace: 'eip155' })
 * const { address } = await walletButton.connect('metamask')
 */
export function createAppKitWalletButton({ namespace }: { namespace?: Namespace } = {}): AppKitWalletButton {
  const isReady = (): boolean => currentAppKit.getState().appKit !== undefined
  return {
    isReady,
    subscribeIsReady: (callback) => currentAppKit.subscribe(() => callback({ isReady: isReady() })),
    connect: async (walletId) => connectWalletById(requireAppKit(), walletId, namespace),
    async updateEmail() {
      openModal(requireAppKit().latchkey, { entry: { view: 'UpdateEmail', params: {} } })
    },
  }
}
