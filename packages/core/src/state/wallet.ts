import {
  LatchkeyError,
  parseAccountId,
  type AccountId,
  type ChainId,
  type Namespace,
  type Network,
} from '@latchkey/protocol'
import type { Adapter } from '../adapter.ts'
import type { Connector } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import {
  reduceConnection,
  standing,
  type Connected,
  type ConnectionEvent,
  type ConnectionState,
} from './connections.ts'

/** Sends an event to the machine of one namespace. */
export function dispatch(latchkey: Latchkey, namespace: Namespace, event: ConnectionEvent): void {
  const state = latchkey.wallet.getState()
  const before = state.namespaces[namespace] ?? { status: 'disconnected' }
  const after = reduceConnection(before, event)
  if (after === before) return
  latchkey.wallet.setState({ ...state, namespaces: { ...state.namespaces, [namespace]: after } }, true)
}

/** Where a namespace stands. */
export function stateOf(latchkey: Latchkey, namespace: Namespace): ConnectionState {
  return latchkey.wallet.getState().namespaces[namespace] ?? { status: 'disconnected' }
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

/** What an app and its visitor want to know of the active namespace. */
export type AccountState = {
  /** The network that reading and sending go to; undefined without any adapter. */
  network: Network | undefined
} & (
  | { status: 'disconnected' }
  | { status: 'connecting'; connectorId: string }
  | { status: 'reconnecting'; connectorId: string; account: AccountId; address: string }
  | {
      status: 'connected'
      connectorId: string
      account: AccountId
      address: string
      network: Network
      /** False while the wallet is on a network that the app did not configure. */
      supported: boolean
      wallet: { name: string; icon?: string }
    }
)

/**
 * The account and network of the active namespace, made anew from the state on each call.
 *
 * @example if (getAccount(latchkey).status === 'connected') …
 */
export function getAccount(latchkey: Latchkey): AccountState {
  const { active, chosen } = latchkey.wallet.getState()
  if (active === undefined) return { status: 'disconnected', network: undefined }
  const adapter = adapterOf(latchkey, active)
  const preferred = chosen[active]
  const network =
    (preferred === undefined ? undefined : findNetwork(latchkey, preferred)) ??
    adapter.networks.find((candidate) => candidate === latchkey.settings.defaultNetwork) ??
    adapter.networks[0]
  const state = stateOf(latchkey, active)
  switch (state.status) {
    case 'disconnected':
      return { status: 'disconnected', network }
    case 'connecting':
      return { status: 'connecting', connectorId: state.connectorId, network }
    case 'reconnecting': {
      const { connectorId, account, chainId } = state
      const { address } = parseAccountId(account)
      return {
        status: 'reconnecting',
        connectorId,
        account,
        address,
        network: findNetwork(latchkey, chainId) ?? network,
      }
    }
    case 'connected': {
      const { connectorId, account, chainId, connection } = state
      const configured = findNetwork(latchkey, chainId)
      return {
        status: 'connected',
        connectorId,
        account,
        address: parseAccountId(account).address,
        network: configured ?? adapter.unknownNetwork(chainId),
        supported: configured !== undefined || latchkey.settings.allowUnsupportedNetworks,
        wallet: connection.wallet,
      }
    }
  }
}

/**
 * The live connection of the active namespace, for asking its wallet.
 *
 * @throws LatchkeyError `connection/not-connected`.
 */
export function requireConnected(latchkey: Latchkey): { adapter: Adapter; state: Connected; network: Network } {
  const { active } = latchkey.wallet.getState()
  const state = active === undefined ? undefined : standing(stateOf(latchkey, active))
  if (active === undefined || state === undefined) throw new LatchkeyError('connection/not-connected', {})
  const adapter = adapterOf(latchkey, active)
  return { adapter, state, network: findNetwork(latchkey, state.chainId) ?? adapter.unknownNetwork(state.chainId) }
}
