import type { Latchkey } from '@latchkey/core'
import type { ViewEntry, ViewName } from '@latchkey/modal'
import type { Strings } from '../../messages/strings.ts'
import { socialNames } from '../login/social/socialNames.ts'

/** Returns the title of a view: the name of its wallet if it is about one, otherwise its own title. */
export function titleOf(latchkey: Pick<Latchkey, 'connectors'>, strings: Strings, entry: ViewEntry): string {
  switch (entry.view) {
    case 'ConnectingExternal': {
      const { connectorId } = entry.params
      const connector = latchkey.connectors.getState().find(({ id }) => id === connectorId)
      return connector?.name ?? strings.connecting.title
    }
    case 'ConnectingSocial':
      return socialNames[entry.params.provider]
    case 'ConnectingFarcaster':
      return socialNames.farcaster
    case 'ConnectingWalletConnect':
      return entry.params.wallet?.name ?? strings.pairing.title
    case 'Downloads':
      return strings.downloads.title({ wallet: entry.params.wallet.name })
    default:
      return titles[entry.view]?.(strings) ?? strings.connect.title
  }
}

const titles: { readonly [view in ViewName]?: (strings: Strings) => string } = {
  Account: ({ account }) => account.title,
  AccountSettings: ({ accountSettings }) => accountSettings.title,
  Approvals: ({ accountSettings }) => accountSettings.approvals,
  ApproveTransaction: ({ logins }) => logins.approve,
  AllWallets: ({ allWallets }) => allWallets.title,
  BuyInProgress: ({ money }) => money.buying,
  ChooseAccountName: ({ money }) => money.name,
  ConnectSocials: ({ logins }) => logins.socials,
  ConnectingMultiChain: ({ multiChain }) => multiChain.title,
  ConnectingSiwe: ({ signIn }) => signIn.title,
  ConnectingWalletConnectBasic: ({ pairing }) => pairing.title,
  EmailLogin: ({ logins }) => logins.email,
  EmailVerifyDevice: ({ logins }) => logins.device,
  EmailVerifyOtp: ({ logins }) => logins.code,
  GetWallet: ({ getWallet }) => getWallet.title,
  ManageTokens: ({ account }) => account.tokens,
  Networks: ({ networks }) => networks.title,
  OnRampActivity: ({ money }) => money.bought,
  OnRampFiatSelect: ({ money }) => money.buyCurrency,
  OnRampProviders: ({ money }) => money.buy,
  OnRampTokenSelect: ({ money }) => money.buyToken,
  ProfileWallets: ({ profileWallets }) => profileWallets.title,
  ManageAccountName: ({ money }) => money.name,
  RegisterAccountName: ({ money }) => money.registerName,
  RegisterAccountNameSuccess: ({ money }) => money.named,
  ScanCode: ({ connect }) => connect.qrCode,
  SIWXSignMessage: ({ signIn }) => signIn.title,
  Swap: ({ money }) => money.swap,
  SwapPreview: ({ money }) => money.swapPreview,
  SwapSelectToken: ({ money }) => money.swapToken,
  SwitchActiveChain: ({ switchActiveChain }) => switchActiveChain.title,
  Transaction: ({ money }) => money.transaction,
  Transactions: ({ money }) => money.activity,
  UpdateEmail: ({ logins }) => logins.update,
  UpdateEmailPrimaryOtp: ({ logins }) => logins.updatePrimary,
  UpdateEmailSecondaryOtp: ({ logins }) => logins.updateSecondary,
  UnsupportedChain: ({ unsupported }) => unsupported.title,
  WalletCompatibleNetworks: ({ money }) => money.compatible,
  WalletReceive: ({ money }) => money.receive,
  WalletSend: ({ money }) => money.send,
  WalletSendPreview: ({ money }) => money.sendPreview,
  WalletSendSelectToken: ({ money }) => money.sendToken,
  WhatIsANetwork: ({ whatIsANetwork }) => whatIsANetwork.title,
  WhatIsAWallet: ({ whatIsAWallet }) => whatIsAWallet.title,
}
