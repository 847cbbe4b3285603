import { formatAccountId, parseAccountId, type AccountId, type ChainId, type Namespace } from '@latchkey/protocol'
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
type Granted = { connectorId: string; connection: Connection; account?: AccountId; picked?: boolean }

export type ConnectionEvent =
  | { type: 'attempt'; connectorId: string }
  | { type: 'resume'; connectorId: string; account: AccountId; chainId: ChainId }
  | ({ type: 'granted' } & Granted)
  /** A wallet came back that stands beside the primary one. */
  | ({ type: 'beside' } & Granted)
  | { type: 'primary'; connectorId: string }
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
    case 'beside':
    case 'primary':
      return state
    default: {
      const before = standing(state)
      return before === undefined ? state : withStanding(state, follow(before, event))
    }
  }
}

/** A namespace with all of its wallets: the primary one, and those that stand beside it, the last used first. */
export type Wallets = { state: ConnectionState; others: readonly Connected[] }

/** All wallets of a namespace after an event. Where `several` may stand, a new one does not replace the one before. */
export function reduceWallets(wallets: Wallets, event: ConnectionEvent, several: boolean): Wallets {
  const { state } = wallets
  let { others } = wallets
  const before = standing(state)
  const previous = before === undefined ? [] : [before]
  const without = (id: string, all: readonly Connected[] = others): readonly Connected[] =>
    all.filter(({ connectorId }) => connectorId !== id)
  switch (event.type) {
    case 'granted':
      others = several ? without(event.connectorId, [...previous, ...others]) : []
      break
    case 'beside':
      if (before?.connectorId !== event.connectorId) others = [...without(event.connectorId), connected(event)]
      break
    case 'primary': {
      const next = others.find(({ connectorId }) => connectorId === event.connectorId)
      if (next === undefined) return wallets
      return { state: withStanding(state, next), others: [...previous, ...without(event.connectorId)] }
    }
    case 'ended':
      others = event.connectorId === undefined ? [] : without(event.connectorId)
      break
    case 'accounts':
    case 'account':
    case 'chain':
      others = others.map((other) => follow(other, event))
      break
    default:
  }
  const after = reduceConnection(state, event)
  const [next, ...left] = others
  return after.status === 'disconnected' && next !== undefined
    ? { state: next, others: left }
    : { state: after, others }
}

/** The connection that stands, also while another is being made. */
export function standing(state: ConnectionState | undefined): Connected | undefined {
  if (state?.status === 'connected') return state
  return state?.status === 'connecting' ? state.previous : undefined
}

function connected({ connectorId, connection, account, picked = false }: Granted): Connected {
  const { accounts, chainId } = connection
  return { status: 'connected', connectorId, connection, picked, ...placed(accounts, chainId, account) }
}

/** Who waits for another wallet goes on waiting for it. */
function ended(state: ConnectionState, id: string | undefined, reason: EndReason | undefined): ConnectionState {
  const held = state.status === 'reconnecting' ? state : standing(state)
  if (id !== undefined && held?.connectorId !== id) return state
  return state.status === 'connecting' ? { ...state, previous: undefined } : { status: 'disconnected', reason }
}

function withStanding(state: ConnectionState, after: Connected): ConnectionState {
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
function follow(before: Connected, event: ConnectionEvent & { type: 'accounts' | 'account' | 'chain' }): Connected {
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
