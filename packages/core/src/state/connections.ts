import { formatAccountId, parseAccountId, type AccountId, type ChainId, type Namespace } from '@latchkey/protocol'
import type { Connection } from '../connector.ts'

/** A wallet that answers for a namespace. */
export type Connected = {
  status: 'connected'
  connectorId: string
  /** The selected account, on the chain that the wallet is on. */
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
      if (state.status === 'connected' || state.status === 'disconnected') return state
      return standing(state) ?? { status: 'disconnected' }
    case 'ended':
      // Who waits for another wallet goes on waiting for it.
      return state.status === 'connecting' ? { ...state, previous: undefined } : { status: 'disconnected' }
    case 'accounts':
      return amend(state, event.connection, ({ chainId }) => placed(event.accounts, chainId))
    case 'chain':
      return amend(state, event.connection, ({ accounts }) => placed(accounts, event.chainId))
  }
}

/** The connection that stands, also while another is being made. */
export function standing(state: ConnectionState | undefined): Connected | undefined {
  if (state?.status === 'connected') return state
  return state?.status === 'connecting' ? state.previous : undefined
}

function connected(connectorId: string, connection: Connection): Connected {
  return { status: 'connected', connectorId, connection, ...placed(connection.accounts, connection.chainId) }
}

type Place = Pick<Connected, 'account' | 'accounts' | 'chainId'>

/** The accounts on one chain: a wallet that moves to another chain takes them along. */
function placed([first, ...others]: Connected['accounts'], chainId: ChainId): Place {
  const onChain = (account: AccountId): AccountId => {
    return formatAccountId({ chainId, address: parseAccountId(account).address })
  }
  const account = onChain(first)
  const rest = new Set(others.map(onChain))
  rest.delete(account)
  return { account, accounts: [account, ...rest], chainId }
}

/** Word from a connection that was replaced meanwhile changes nothing. */
function amend(state: ConnectionState, connection: Connection, news: (before: Connected) => Place): ConnectionState {
  const before = standing(state)
  if (before === undefined || before.connection !== connection) return state
  const after = { ...before, ...news(before) }
  return state.status === 'connecting' ? { ...state, previous: after } : after
}

/** All namespaces of an instance. */
export type WalletState = {
  /** The namespace that account, network and requests are about. */
  active: Namespace | undefined
  namespaces: { readonly [namespace in Namespace]?: ConnectionState }
  /** The network chosen in each namespace; a live connection's own chain goes before it. */
  chosen: { readonly [namespace in Namespace]?: ChainId }
}
