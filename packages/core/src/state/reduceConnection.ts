import { formatAccountId, parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import type { EndReason } from '../connector.ts'
import { standing, type Connected, type ConnectionEvent, type ConnectionState, type Granted } from './connections.ts'

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
      return connected(event)
    case 'failed':
      if (state.status === 'connected' || state.status === 'disconnected') return state
      return standing(state) ?? { status: 'disconnected', reason: event.reason }
    case 'ended':
      return ended(state, event.connectorId, event.reason)
    default: {
      const before = standing(state)
      return before === undefined ? state : withStanding(state, follow(before, event))
    }
  }
}

/** A wallet that gave its consent. */
export function connected({ connectorId, connection, account, picked = false }: Granted): Connected {
  const { accounts, chainId } = connection
  return { status: 'connected', connectorId, connection, picked, ...placed(accounts, chainId, account) }
}

/** Who waits for another wallet goes on waiting for it. */
function ended(state: ConnectionState, id: string | undefined, reason: EndReason | undefined): ConnectionState {
  const held = state.status === 'reconnecting' ? state : standing(state)
  if (id !== undefined && held?.connectorId !== id) return state
  return state.status === 'connecting' ? { ...state, previous: undefined } : { status: 'disconnected', reason }
}

/** A state with another word of the wallet that stands in it. */
export function withStanding(state: ConnectionState, after: Connected): ConnectionState {
  if (after === standing(state)) return state
  return state.status === 'connecting' ? { ...state, previous: after } : after
}

type Place = Pick<Connected, 'account' | 'accounts' | 'chainId'>

/** The accounts on one chain: a wallet that moves to another chain takes them along. */
function placed([first, ...others]: Connected['accounts'], chainId: ChainId, selected: AccountId = first): Place {
  const onChain = (account: AccountId): AccountId => {
    return formatAccountId({ chainId, address: parseAccountId(account).address })
  }
  const account = onChain(first)
  const rest = new Set(others.map(onChain))
  rest.delete(account)
  return { account: onChain(selected), accounts: [account, ...rest], chainId }
}

/** What a wallet tells. Word from a connection that was replaced meanwhile changes nothing. */
export function follow(
  before: Connected,
  event: ConnectionEvent & { type: 'accounts' | 'account' | 'chain' },
): Connected {
  if (before.connection !== event.connection) return before
  const { accounts, account, picked, chainId } = before
  switch (event.type) {
    case 'account':
      return { ...before, account: event.account, picked: true }
    case 'chain':
      return { ...before, ...placed(accounts, event.chainId, account) }
    case 'accounts': {
      const after = placed(event.accounts, chainId, event.account)
      // A choice made here holds until the wallet makes another one.
      const kept = picked && after.accounts[0] === accounts[0] && after.accounts.includes(account)
      return { ...before, ...after, ...(kept ? { account } : { picked: false }) }
    }
  }
}
