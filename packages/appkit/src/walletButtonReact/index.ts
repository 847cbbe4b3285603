'use client'

export { isLatchkeyError } from '@latchkey/protocol'
export {
  useAppKitUpdateEmail,
  useAppKitWallet,
  type AppKitWalletState,
  type UseAppKitWalletOptions,
} from './useAppKitWallet.ts'
export { AppKitWalletButton } from '../react/components/AppKitButton.ts'
export type { ConnectedWallet } from '../walletButton/connectWalletById.ts'
