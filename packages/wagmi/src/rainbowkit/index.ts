'use client'

export { isLatchkeyError } from '@latchkey/protocol'
export {
  ConnectButton,
  type ConnectButtonComponent,
  type ConnectButtonProps,
  type ResponsiveValue,
} from './button/ConnectButton.tsx'
export type { CustomConnectButtonProps } from './button/CustomConnectButton.tsx'
export type { ConnectButtonState } from './button/useConnectButtonState.ts'
export type { Chain } from './config/chain.ts'
export { connectorsForWallets, type ConnectorsForWalletsOptions } from './config/connectorsForWallets.ts'
export { getDefaultConfig, type DefaultConfigOptions } from './config/getDefaultConfig.ts'
export type { WalletList } from './config/walletList.ts'
export { useAccountModal } from './hooks/useAccountModal.ts'
export { useAddRecentTransaction, type NewTransaction } from './hooks/useAddRecentTransaction.ts'
export { useChainModal } from './hooks/useChainModal.ts'
export { useConnectModal } from './hooks/useConnectModal.ts'
export type { AvatarComponent } from './provider/avatarComponent.ts'
export type { DisclaimerComponent } from './provider/disclaimerComponent.ts'
export type { Locale } from './provider/locale.ts'
export { RainbowKitProvider, type RainbowKitProviderProps } from './provider/RainbowKitProvider.tsx'
export {
  createAuthenticationAdapter,
  type AuthenticationAdapter,
  type AuthenticationStatus,
} from './signIn/authenticationAdapter.ts'
export {
  RainbowKitAuthenticationProvider,
  type RainbowKitAuthenticationProviderProps,
} from './signIn/RainbowKitAuthenticationProvider.tsx'
export { darkTheme } from './theme/darkTheme.ts'
export { lightTheme } from './theme/lightTheme.ts'
export { midnightTheme } from './theme/midnightTheme.ts'
export type { AccentColors, Theme, ThemeFunction, ThemeOptions } from './theme/theme.ts'
export { WalletButton, type WalletButtonComponent, type WalletButtonProps } from './walletButton/WalletButton.tsx'
export type { CustomWalletButtonProps, WalletButtonState } from './walletButton/CustomWalletButton.tsx'
export type { KitServices } from '../kit/createKitConnector.ts'
