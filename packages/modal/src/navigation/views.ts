import type { ChainId, HistoryItem, Namespace, WalletListEntry } from '@latchkey/protocol'
import type { SocialProvider } from '@latchkey/core'

/** The views of the modal by name, with their parameters. */
export type Views = {
  /** The wallets of one namespace, or all. */
  Connect: { namespace?: Namespace }
  /** The wallets, if the app shows them behind one button. */
  ConnectWallets: object
  Account: object
  AllWallets: object
  ConnectingWalletConnectBasic: object
  /** A wallet of this page; in one namespace only, or with its connectors of other namespaces after the first. */
  ConnectingExternal: { connectorId: string; namespace?: Namespace; others?: readonly string[] }
  ConnectingWalletConnect: { wallet?: WalletListEntry }
  ConnectingSiwe: object
  ConnectingFarcaster: object
  /** The e-mail entry alone, for the wallet button of e-mail. */
  EmailLogin: object
  /** Waits for the link in the mail. `match`: the two confirmation digits of the link's page. */
  EmailVerifyDevice: { email: string; match?: string }
  /** Asks for the code of the mail. */
  EmailVerifyOtp: { email: string }
  /** All social logins, if they do not fit into the first row. */
  ConnectSocials: object
  ConnectingSocial: { provider: SocialProvider }
  UpdateEmail: object
  UpdateEmailPrimaryOtp: { newEmail: string }
  UpdateEmailSecondaryOtp: { newEmail: string }
  SIWXSignMessage: object
  ApproveTransaction: object
  UnsupportedChain: object
  RegisterAccountName: object
  RegisterAccountNameSuccess: object
  Networks: object
  /** Selects the namespace to connect, for a wallet with several. The ids of its connectors, one per namespace. */
  ConnectingMultiChain: { connectorIds: readonly string[] }
  /** Wallets to install, for users without one. */
  GetWallet: object
  /** The downloads of a wallet. */
  Downloads: { wallet: WalletListEntry }
  WhatIsAWallet: object
  WhatIsANetwork: object
  /** Selects the active namespace. */
  SwitchActiveChain: { namespace: Namespace; chainId?: ChainId }
  /** All connected wallets, and those connected before. */
  ProfileWallets: object
  AccountSettings: object
  /** The permissions of other addresses to move assets of the account. */
  Approvals: object
  /** Imports tokens by their address, hides them and removes them. */
  ManageTokens: object
  /** The full history of the account. */
  Transactions: object
  /** The details of one transaction. `item`: its entry in the history; without it, it is one of the pending list. */
  Transaction: { chainId: ChainId; hash: string; item?: HistoryItem }
  WalletSend: object
  WalletSendSelectToken: object
  /** Reads the receiver of a payment from a QR code. */
  ScanCode: object
  WalletSendPreview: object
  WalletReceive: object
  /** The networks on which an address can receive payments. */
  WalletCompatibleNetworks: object
  Swap: object
  /** Selects the token to give or to receive. */
  SwapSelectToken: { side: 'from' | 'to' }
  SwapPreview: object
  OnRampProviders: object
  OnRampTokenSelect: object
  OnRampFiatSelect: object
  BuyInProgress: object
  OnRampActivity: object
  ChooseAccountName: object
  ManageAccountName: object
}

/** The name of a view. */
export type ViewName = keyof Views

/** A view with its parameters: one entry of the history. */
export type ViewEntry = { [name in ViewName]: { view: name; params: Views[name] } }[ViewName]

/** Views that ask for a signature. Leaving them leaves the sign-in incomplete. */
const approvals: readonly ViewName[] = ['SIWXSignMessage', 'ApproveTransaction']

/** True if a view asks the user to approve something. */
export function isApproval(view: ViewName): boolean {
  return approvals.includes(view)
}
