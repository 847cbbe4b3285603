import type { AccountId, ChainId, Namespace } from '@latchkey/protocol'
import type { Connection } from '../connector.ts'

/** A wallet that answers for a namespace. */
export type Connected = {
  status: 'connected'
  connectorId: string
  /** The selected account. */
  account: AccountId
  accounts: readonly [AccountId, ...AccountId[]]
  chainId: ChainId
  connection: Connection
}

/** Where one namespace stands. Nothing is `connected` without a provider that answered. */
export type ConnectionState =
  | { status: 'disconnected' }
  | { status: 'connecting'; connectorId: string; previous: Connected | undefined }
  | { status: 'reconnecting'; connectorId: string; account: AccountId; chainId: ChainId }
  | Connected

export type ConnectionEvent =
  | { type: 'attempt'; connectorId: string }
  | { type: 'resume'; connectorId: string; account: AccountId; chainId: ChainId }
  | { type: 'granted'; connectorId: string; connection: Connection }
  | { type: 'failed' }
  | { type: 'ended' }
  | { type: 'accounts'; connection: Connection; accounts: readonly [AccountId, ...AccountId[]] }
  | { type: 'chain'; connection: Connection; chainId: ChainId }

/** The machine of one namespace: its state after an event. */
export function reduceConnection(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.type) {
    case 'attempt':
      return { status: 'connecting', connectorId: event.connectorId, previous: standing(state) }
    case 'resume':
      if (state.status !== 'disconnected') return state
      return {
        status: 'reconnecting',
        connectorId: event.connectorId,
        account: event.account,
        chainId: event.chainId,
      }
    case 'granted':
      return connected(event.connectorId, event.connection)
    case 'failed':
      if (state.status === 'connected') return state
      return standing(state) ?? { status: 'disconnected' }
    case 'ended':
      return { status: 'disconnected' }
    case 'accounts':
      return amend(state, event.connection, { account: event.accounts[0], accounts: event.accounts })
    case 'chain':
      return amend(state, event.connection, { chainId: event.chainId })
  }
}

/** The connection that stands, also while another is being made. */
export function standing(state: ConnectionState | undefined): Connected | undefined {
  if (state?.status === 'connected') return state
  return state?.status === 'connecting' ? state.previous : undefined
}

function connected(connectorId: string, connection: Connection): Connected {
  const { accounts, chainId } = connection
  return { status: 'connected', connectorId, account: accounts[0], accounts, chainId, connection }
}

/** Word from a connection that was replaced meanwhile changes nothing. */
function amend(
  state: ConnectionState,
  connection: Connection,
  news: Partial<Pick<Connected, 'account' | 'accounts' | 'chainId'>>,
): ConnectionState {
  if (state.status === 'connected' && state.connection === connection) return { ...state, ...news }
  if (state.status === 'connecting' && state.previous?.connection === connection) {
    return { ...state, previous: { ...state.previous, ...news } }
  }
  return state
}

/** All namespaces of an instance. */
export type WalletState = {
  /** The namespace that account, network and requests are about. */
  active: Namespace | undefined
  namespaces: { readonly [namespace in Namespace]?: ConnectionState }
  /** The network chosen in each namespace; a live connection's own chain goes before it. */
  chosen: { readonly [namespace in Namespace]?: ChainId }
}
