import {
  LatchkeyError,
  parseAccountId,
  type AccountId,
  type ChainId,
  type Namespace,
  type Network,
} from '@latchkey/protocol'
import type { Adapter } from '../adapter.ts'
import type { AccountType, Connection, Connector, EndReason } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import {
  reduceWallets,
  standing,
  type Connected,
  type ConnectionEvent,
  type ConnectionState,
  type Wallets,
} from './connections.ts'

/** Sends an event to the machine of one namespace. */
export function dispatch(latchkey: Latchkey, namespace: Namespace, event: ConnectionEvent): void {
  const state = latchkey.wallet.getState()
  const before: Wallets = { state: stateOf(latchkey, namespace), others: state.others[namespace] ?? [] }
  const after = reduceWallets(before, event, latchkey.settings.multiWallet)
  if (after.state === before.state && after.others === before.others) return
  latchkey.wallet.setState(
    {
      ...state,
      namespaces: { ...state.namespaces, [namespace]: after.state },
      others: { ...state.others, [namespace]: after.others },
    },
    true,
  )
}

/** All wallets that stand in a namespace, the primary one first. */
export function walletsOf(latchkey: Latchkey, namespace: Namespace): readonly Connected[] {
  const { namespaces, others } = latchkey.wallet.getState()
  const primary = standing(namespaces[namespace])
  return [...(primary === undefined ? [] : [primary]), ...(others[namespace] ?? [])]
}

/** Where a namespace stands. */
export function stateOf(latchkey: Latchkey, namespace: Namespace): ConnectionState {
  return latchkey.wallet.getState().namespaces[namespace] ?? { status: 'disconnected' }
}

/** Whether a connection is the one that its namespace's account, network and requests are about. */
export function isPrimary(latchkey: Latchkey, connection: Connection): boolean {
  return standing(stateOf(latchkey, connection.namespace))?.connection === connection
}

/** Whether a namespace waits for a wallet to say if it still knows us. */
export function isResuming(latchkey: Latchkey, namespace: Namespace, connectorId: string): boolean {
  const state = stateOf(latchkey, namespace)
  return state.status === 'reconnecting' && state.connectorId === connectorId
}

/**
 * The adapter of a namespace.
 *
 * @throws LatchkeyError `adapter/not-found`.
 */
export function adapterOf(latchkey: Latchkey, namespace: string | undefined): Adapter {
  const adapter = latchkey.adapters.find((candidate) => candidate.namespace === namespace)
  if (adapter === undefined) throw new LatchkeyError('adapter/not-found', { namespace: namespace ?? 'none' })
  return adapter
}

/** The configured network with an id. */
export function findNetwork(latchkey: Latchkey, chainId: ChainId): Network | undefined {
  return latchkey.networks.find((network) => network.caipNetworkId === chainId)
}

/**
 * The connector with an id.
 *
 * @throws LatchkeyError `connector/not-found`.
 */
export function connectorOf(latchkey: Latchkey, id: string): Connector {
  const connector = latchkey.connectors.getState().find((candidate) => candidate.id === id)
  if (connector === undefined) throw new LatchkeyError('connector/not-found', { id })
  return connector
}

/** Whether the connected wallet said that it can use a network; without a wallet nothing speaks against it. */
export function isApproved(latchkey: Latchkey, { chainNamespace, caipNetworkId }: Network): boolean {
  const approved = standing(stateOf(latchkey, chainNamespace))?.connection.approvedChains ?? 'all'
  return approved === 'all' || approved.includes(caipNetworkId)
}

/** What an app and its visitor want to know of a namespace. */
export type AccountState = {
  /** The network that reading and sending go to; undefined without any adapter. */
  network: Network | undefined
} &
  /** With a reason when a connection ended by itself, or could not be taken up again. */
  (
    | { status: 'disconnected'; reason?: EndReason }
    | { status: 'connecting'; connectorId: string }
    | { status: 'reconnecting'; connectorId: string; account: AccountId; address: string }
    | {
        status: 'connected'
        connectorId: string
        account: AccountId
        address: string
        /** What kind of account it is, and its key, as far as the wallet says. */
        type?: AccountType
        publicKey?: string
        path?: string
        network: Network
        /** False while the wallet is on a network that the app did not configure. */
        supported: boolean
        wallet: { name: string; icon?: string }
      }
  )

/**
 * The account and network of a namespace, of the active one when left out, made anew from the state on each call.
 *
 * @throws LatchkeyError `adapter/not-found` for a namespace that has none.
 * @example if (getAccount(latchkey).status === 'connected') …
 */
export function getAccount(latchkey: Latchkey, namespace?: Namespace): AccountState {
  const { active, chosen } = latchkey.wallet.getState()
  const about = namespace ?? active
  if (about === undefined) return { status: 'disconnected', network: undefined }
  const adapter = adapterOf(latchkey, about)
  const preferred = chosen[about]
  const network =
    (preferred === undefined ? undefined : findNetwork(latchkey, preferred)) ??
    adapter.networks.find((candidate) => candidate === latchkey.settings.defaultNetwork) ??
    adapter.networks[0]
  const state = stateOf(latchkey, about)
  switch (state.status) {
    case 'disconnected':
      return { ...state, network }
    case 'connecting':
      return { status: 'connecting', connectorId: state.connectorId, network }
    case 'reconnecting': {
      const { address } = parseAccountId(state.account)
      return {
        status: 'reconnecting',
        connectorId: state.connectorId,
        account: state.account,
        address,
        network: findNetwork(latchkey, state.chainId) ?? network,
      }
    }
    case 'connected': {
      const { connectorId, account, chainId, connection } = state
      const configured = findNetwork(latchkey, chainId)
      const { type, publicKey, path } = connection.details?.(account) ?? {}
      return {
        status: 'connected',
        connectorId,
        account,
        address: parseAccountId(account).address,
        type,
        publicKey,
        path,
        network: configured ?? adapter.unknownNetwork(chainId),
        supported: configured !== undefined || latchkey.settings.unsupportedNetworks === 'ignore',
        wallet: connection.wallet,
      }
    }
  }
}

/** A live connection, and what is needed to ask its wallet. */
export type Live = { adapter: Adapter; state: Connected; network: Network }

/**
 * The live connection of a namespace, for asking its wallet: of the active namespace when left out.
 *
 * @throws LatchkeyError `connection/not-connected`.
 */
export function requireConnected(
  latchkey: Latchkey,
  namespace: Namespace | undefined = latchkey.wallet.getState().active,
): Live {
  const state = namespace === undefined ? undefined : standing(stateOf(latchkey, namespace))
  if (state === undefined) throw new LatchkeyError('connection/not-connected', {})
  const adapter = adapterOf(latchkey, namespace)
  return { adapter, state, network: findNetwork(latchkey, state.chainId) ?? adapter.unknownNetwork(state.chainId) }
}
