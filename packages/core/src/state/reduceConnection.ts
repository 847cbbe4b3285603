import { formatAccountId, parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import type { EndReason } from '../contracts/connector.ts'
import {
  connectedWallet,
  type Connected,
  type ConnectionEvent,
  type ConnectionState,
  type GrantedConnection,
} from './connectionState.ts'

/** The state machine of one namespace. Returns the state after an event. */
export function reduceConnection(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.type) {
    case 'attempt':
      return { status: 'connecting', connectorId: event.connectorId, previous: connectedWallet(state) }
    case 'resume':
      if (state.status !== 'disconnected') return state
      return {
        status: 'reconnecting',
        connectorId: event.connectorId,
        account: event.account,
        chainId: event.chainId,
      }
    case 'granted':
      return createConnectedState(event)
    case 'failed':
      if (state.status === 'connected' || state.status === 'disconnected') return state
      return connectedWallet(state) ?? { status: 'disconnected', reason: event.reason }
    case 'ended':
      return endConnection(state, event.connectorId, event.reason)
    default: {
      const before = connectedWallet(state)
      return before === undefined ? state : withConnectedWallet(state, reduceWalletEvent(before, event))
    }
  }
}

/** Returns a newly connected wallet. */
export function createConnectedState({
  connectorId,
  connection,
  account,
  picked = false,
}: GrantedConnection): Connected {
  const { accounts, chainId } = connection
  return { status: 'connected', connectorId, connection, picked, ...placeAccount(accounts, chainId, account) }
}

/** A pending attempt with another wallet continues. */
function endConnection(state: ConnectionState, id: string | undefined, reason: EndReason | undefined): ConnectionState {
  const held = state.status === 'reconnecting' ? state : connectedWallet(state)
  if (id !== undefined && held?.connectorId !== id) return state
  return state.status === 'connecting' ? { ...state, previous: undefined } : { status: 'disconnected', reason }
}

/** Returns a state with changes to its connected wallet. */
export function withConnectedWallet(state: ConnectionState, after: Connected): ConnectionState {
  if (after === connectedWallet(state)) return state
  return state.status === 'connecting' ? { ...state, previous: after } : after
}

type Place = Pick<Connected, 'account' | 'accounts' | 'chainId'>

/** Returns the accounts on another chain. A wallet that switches chains keeps its accounts. */
function placeAccount([first, ...others]: Connected['accounts'], chainId: ChainId, selected: AccountId = first): Place {
  const onChain = (account: AccountId): AccountId => {
    return formatAccountId({ chainId, address: parseAccountId(account).address })
  }
  const account = onChain(first)
  const rest = new Set(others.map(onChain))
  rest.delete(account)
  return { account: onChain(selected), accounts: [account, ...rest], chainId }
}

/** Applies an event of a wallet. Events of a replaced connection are ignored. */
export function reduceWalletEvent(
  before: Connected,
  event: ConnectionEvent & { type: 'accounts' | 'account' | 'chain' },
): Connected {
  if (before.connection !== event.connection) return before
  const { accounts, account, picked, chainId } = before
  switch (event.type) {
    case 'account':
      return { ...before, account: event.account, picked: true }
    case 'chain':
      return { ...before, ...placeAccount(accounts, event.chainId, account) }
    case 'accounts': {
      const after = placeAccount(event.accounts, chainId, event.account)
      // The user's choice in the app holds until the wallet selects another account.
      const isKept = picked && after.accounts[0] === accounts[0] && after.accounts.includes(account)
      return { ...before, ...after, ...(isKept ? { account } : { picked: false }) }
    }
  }
}
