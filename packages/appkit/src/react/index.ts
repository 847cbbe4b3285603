'use client'

import './appKitIntrinsicElements.ts'

export {
  AppKitAccountButton,
  AppKitButton,
  AppKitConnectButton,
  AppKitNetworkButton,
  AppKitWalletButton,
  type AppKitElementProps,
} from './components/AppKitButton.ts'
export { AppKitProvider } from './components/AppKitProvider.ts'
export { useAppKit } from './hooks/useAppKit.ts'
export { useAppKitAccount } from './hooks/useAppKitAccount.ts'
export { useAppKitBalance, type FetchedBalance } from './hooks/useAppKitBalance.ts'
export { useAppKitConnection, type UseAppKitConnectionOptions } from './hooks/useAppKitConnection.ts'
export { useAppKitConnections } from './hooks/useAppKitConnections.ts'
export { useAppKitEvents } from './hooks/useAppKitEvents.ts'
export { useAppKitNetwork } from './hooks/useAppKitNetwork.ts'
export { useAppKitProvider } from './hooks/useAppKitProvider.ts'
export { useAppKitState } from './hooks/useAppKitState.ts'
export { useAppKitTheme } from './hooks/useAppKitTheme.ts'
export { useDisconnect } from './hooks/useDisconnect.ts'
export { useWalletInfo } from './hooks/useWalletInfo.ts'
export type { AppKitIntrinsicElements } from './appKitIntrinsicElements.ts'
export * from '../index.ts'
