import type { AccountId, ChainId, Namespace } from '@latchkey/protocol'
import type { Connection, EndReason } from '../contracts/connector.ts'

/** A wallet that is connected in a namespace. */
export type Connected = {
  status: 'connected'
  connectorId: string
  /** The selected account, on the chain that the wallet is on. */
  account: AccountId
  /** All accounts that the wallet shares, in its order, on its current chain. */
  accounts: readonly [AccountId, ...AccountId[]]
  /** True if the account was chosen in the app and not by the wallet. */
  picked: boolean
  chainId: ChainId
  connection: Connection
}

/** The state of a namespace. A connection is `connected` only with a provider that responded. */
export type ConnectionState =
  /** Has a reason if a connection ended. */
  | { status: 'disconnected'; reason?: EndReason }
  | { status: 'connecting'; connectorId: string; previous: Connected | undefined }
  | { status: 'reconnecting'; connectorId: string; account: AccountId; chainId: ChainId }
  | Connected

/** A granted connection and the selected account. Defaults to the wallet's selection. */
export type GrantedConnection = { connectorId: string; connection: Connection; account?: AccountId; picked?: boolean }

export type ConnectionEvent =
  | { type: 'attempt'; connectorId: string }
  | { type: 'resume'; connectorId: string; account: AccountId; chainId: ChainId }
  | ({ type: 'granted' } & GrantedConnection)
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

/** Returns the current connection, even while another wallet is connecting. */
export function connectedWallet(state: ConnectionState | undefined): Connected | undefined {
  if (state?.status === 'connected') return state
  return state?.status === 'connecting' ? state.previous : undefined
}

/** All namespaces of an instance. */
export type WalletState = {
  /** The namespace that account, network and requests default to. */
  active: Namespace | undefined
  namespaces: { readonly [namespace in Namespace]?: ConnectionState }
  /** The selected network of each namespace. The chain of a live connection takes precedence. */
  chosen: { readonly [namespace in Namespace]?: ChainId }
  /** The connected wallets of a namespace in addition to the primary one, if the app allows several. */
  others: { readonly [namespace in Namespace]?: readonly Connected[] }
}
