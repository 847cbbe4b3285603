import type { AccountId, ChainId, Namespace } from '@latchkey/protocol'
import type { Connection, EndReason } from '../connector.ts'

/** A wallet that answers for a namespace. */
export type Connected = {
  status: 'connected'
  connectorId: string
  /** The selected account, on the chain that the wallet is on. */
  account: AccountId
  /** All that the wallet shares, in its own order, on the chain that it is on. */
  accounts: readonly [AccountId, ...AccountId[]]
  /** Whether the account was chosen here, and not by the wallet. */
  picked: boolean
  chainId: ChainId
  connection: Connection
}

/** Where one namespace stands. Nothing is `connected` without a provider that answered. */
export type ConnectionState =
  /** With a reason when something ended here. */
  | { status: 'disconnected'; reason?: EndReason }
  | { status: 'connecting'; connectorId: string; previous: Connected | undefined }
  | { status: 'reconnecting'; connectorId: string; account: AccountId; chainId: ChainId }
  | Connected

/** A consent: who gave it, and which account is selected; the wallet's own choice when left out. */
export type Granted = { connectorId: string; connection: Connection; account?: AccountId; picked?: boolean }

export type ConnectionEvent =
  | { type: 'attempt'; connectorId: string }
  | { type: 'resume'; connectorId: string; account: AccountId; chainId: ChainId }
  | ({ type: 'granted' } & Granted)
  | { type: 'failed'; reason?: EndReason }
  /** One wallet left; all of the namespace without an id. */
  | { type: 'ended'; connectorId?: string; reason?: EndReason }
  | {
      type: 'accounts'
      connection: Connection
      accounts: readonly [AccountId, ...AccountId[]]
      account?: AccountId
    }
  | { type: 'account'; connection: Connection; account: AccountId }
  | { type: 'chain'; connection: Connection; chainId: ChainId }

/** The connection that stands, also while another is being made. */
export function standing(state: ConnectionState | undefined): Connected | undefined {
  if (state?.status === 'connected') return state
  return state?.status === 'connecting' ? state.previous : undefined
}

/** All namespaces of an instance. */
export type WalletState = {
  /** The namespace that account, network and requests are about. */
  active: Namespace | undefined
  namespaces: { readonly [namespace in Namespace]?: ConnectionState }
  /** The network chosen in each namespace; a live connection's own chain goes before it. */
  chosen: { readonly [namespace in Namespace]?: ChainId }
  /** The wallets that stand beside the primary one of a namespace, where the app lets a visitor have several. */
  others: { readonly [namespace in Namespace]?: readonly Connected[] }
}
