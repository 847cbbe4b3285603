import type { ChainId, Namespace, WalletListEntry } from '@latchkey/protocol'
import type { SocialProvider } from '../options.ts'

/** The views of the modal by name, and what each is given when it is shown. */
export type Views = {
  /** The wallets of one chain family, or all. */
  Connect: { namespace?: Namespace }
  /** The wallets among the ways in, where an app keeps them behind one button. */
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
  /** The link in the mail is waited for. `match`: two digits that the link's page asks for. */
  EmailVerifyDevice: { email: string; match?: string }
  /** The code of the mail is entered. */
  EmailVerifyOtp: { email: string }
  /** All social logins, where they do not fit into the first row. */
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
  /** Which of its chains to connect a wallet of several namespaces on; the ids of its connectors, one per namespace. */
  ConnectingMultiChain: { connectorIds: readonly string[] }
  /** Wallets to get, for who has none. */
  GetWallet: object
  /** Where a wallet can be got. */
  Downloads: { wallet: WalletListEntry }
  WhatIsAWallet: object
  WhatIsANetwork: object
  /** Choosing the namespace that account and network are about. */
  SwitchActiveChain: { namespace: Namespace; chainId?: ChainId }
  /** All connected wallets, and those connected before. */
  ProfileWallets: object
  AccountSettings: object
  /** All that the account did, where it has no room in the account view. */
  Transactions: object
  WalletSend: object
  WalletSendSelectToken: object
  WalletSendPreview: object
  WalletReceive: object
  /** Which networks an address to be paid at is good for. */
  WalletCompatibleNetworks: object
  Swap: object
  /** Choosing what is given, or what is wanted. */
  SwapSelectToken: { side: 'from' | 'to' }
  SwapPreview: object
  OnRampProviders: object
  OnRampTokenSelect: object
  OnRampFiatSelect: object
  BuyInProgress: object
  OnRampActivity: object
  ChooseAccountName: object
}

/** The name of a view. */
export type ViewName = keyof Views

/** A view together with what it was given: one entry of the history. */
export type ViewEntry = { [name in ViewName]: { view: name; params: Views[name] } }[ViewName]

/** Views that ask for a signature: leaving them would leave the sign-in undone. */
const approvals: readonly ViewName[] = ['SIWXSignMessage', 'ApproveTransaction']

/** Whether a view asks the visitor to approve something before going on. */
export function isApproval(view: ViewName): boolean {
  return approvals.includes(view)
}
