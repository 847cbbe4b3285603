import type { ViewName, Views } from '@latchkey/core'
import type { ComponentType } from 'react'
import { loadModal } from '../loadModal.ts'

/** A view's module, fetched when the view is first shown. */
export type ViewModule<view extends ViewName> = { default: ComponentType<Views[view]> }

/** The views that can be drawn. One that is missing here shows the first view instead. */
export const views: { readonly [view in ViewName]?: () => Promise<ViewModule<view>> } = {
  Account: () => import('./account/AccountView.tsx'),
  AccountSettings: () => import('./accountSettings/AccountSettingsView.tsx'),
  AllWallets: () => import('./allWallets/AllWalletsView.tsx'),
  ChooseAccountName: () => import('./chooseAccountName/ChooseAccountNameView.tsx'),
  Connect: loadModal,
  ConnectWallets: () => import('./connectWallets/ConnectWalletsView.tsx'),
  ConnectingExternal: () => import('./connectingExternal/ConnectingExternalView.tsx'),
  ConnectingMultiChain: () => import('./connectingMultiChain/ConnectingMultiChainView.tsx'),
  ConnectingWalletConnect: () => import('./connectingWalletConnect/ConnectingWalletConnectView.tsx'),
  ConnectingWalletConnectBasic: () => import('./connectingWalletConnectBasic/ConnectingWalletConnectBasicView.tsx'),
  Downloads: () => import('./downloads/DownloadsView.tsx'),
  GetWallet: () => import('./getWallet/GetWalletView.tsx'),
  ConnectingSiwe: () => import('./connectingSiwe/ConnectingSiweView.tsx'),
  Networks: () => import('./networks/NetworksView.tsx'),
  BuyInProgress: () => import('./buyInProgress/BuyInProgressView.tsx'),
  OnRampActivity: () => import('./onRampActivity/OnRampActivityView.tsx'),
  OnRampFiatSelect: () => import('./onRampFiatSelect/OnRampFiatSelectView.tsx'),
  OnRampProviders: () => import('./onRampProviders/OnRampProvidersView.tsx'),
  OnRampTokenSelect: () => import('./onRampTokenSelect/OnRampTokenSelectView.tsx'),
  ProfileWallets: () => import('./profileWallets/ProfileWalletsView.tsx'),
  RegisterAccountName: () => import('./registerAccountName/RegisterAccountNameView.tsx'),
  RegisterAccountNameSuccess: () => import('./registerAccountNameSuccess/RegisterAccountNameSuccessView.tsx'),
  Swap: () => import('./swap/SwapView.tsx'),
  SwapPreview: () => import('./swapPreview/SwapPreviewView.tsx'),
  SwapSelectToken: () => import('./swapSelectToken/SwapSelectTokenView.tsx'),
  SwitchActiveChain: () => import('./switchActiveChain/SwitchActiveChainView.tsx'),
  SIWXSignMessage: () => import('./siwxSignMessage/SignInView.tsx'),
  Transactions: () => import('./transactions/TransactionsView.tsx'),
  UnsupportedChain: () => import('./unsupportedChain/UnsupportedChainView.tsx'),
  WalletCompatibleNetworks: () => import('./walletCompatibleNetworks/WalletCompatibleNetworksView.tsx'),
  WalletReceive: () => import('./walletReceive/WalletReceiveView.tsx'),
  WalletSend: () => import('./walletSend/WalletSendView.tsx'),
  WalletSendPreview: () => import('./walletSendPreview/WalletSendPreviewView.tsx'),
  WalletSendSelectToken: () => import('./walletSendSelectToken/WalletSendSelectTokenView.tsx'),
  WhatIsANetwork: () => import('./whatIsANetwork/WhatIsANetworkView.tsx'),
  WhatIsAWallet: () => import('./whatIsAWallet/WhatIsAWalletView.tsx'),
}
