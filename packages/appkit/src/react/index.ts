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
export { isLatchkeyError } from '@latchkey/protocol'
export type { AdapterOptions, AppKitAdapter, AppKitAdapter as ChainAdapter } from '../adapters/appKitAdapter.ts'
export type { AppKitEvent, AppKitEventData } from '../events/appKitEvent.ts'
export type { AppKit } from '../instance/appKit.ts'
export { createAppKit } from '../instance/createAppKit.ts'
export type { AppKitAccount, AppKitWalletInfo, WalletProviderType } from '../instance/createAccountMethods.ts'
export type { AppKitOpenOptions, AppKitView } from '../instance/createModalMethods.ts'
export type { AppKitNetworkState } from '../instance/readNetworkState.ts'
export type { AppKitState } from '../instance/appKitState.ts'
export type { AppKitNetwork, CaipNetwork } from '../network/appKitNetwork.ts'
export type { AppKitFeatures, AppKitOptions, CustomWallet, LatchkeyServices } from '../options/appKitOptions.ts'
export type { ThemeMode, ThemeVariables } from '../theme/themeVariables.ts'
