import type { WalletListEntry } from '@latchkey/protocol'

/** The views of the modal by name, and what each is given when it is shown. */
export type Views = {
  Connect: object
  Account: object
  AllWallets: object
  ConnectingWalletConnectBasic: object
  ConnectingExternal: { connectorId: string }
  ConnectingWalletConnect: { wallet?: WalletListEntry }
  ConnectingSiwe: object
  ConnectingFarcaster: object
  SIWXSignMessage: object
  ApproveTransaction: object
  UnsupportedChain: object
  RegisterAccountName: object
  RegisterAccountNameSuccess: object
  Networks: object
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
