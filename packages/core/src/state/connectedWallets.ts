import { type Namespace, type Network, connectionError } from '@latchkey/protocol'
import type { Adapter } from '../contracts/adapter.ts'
import type { Connection, Connector } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { connectedWallet, type Connected } from './connectionState.ts'
import { getAdapter, findNetwork, connectionStateOf } from './getAccount.ts'

/** Returns all connected wallets of a namespace, the primary one first. */
export function listConnectedWallets(latchkey: Pick<Latchkey, 'wallet'>, namespace: Namespace): readonly Connected[] {
  const { namespaces, others } = latchkey.wallet.getState()
  const primary = connectedWallet(namespaces[namespace])
  return [...(primary === undefined ? [] : [primary]), ...(others[namespace] ?? [])]
}

/** True if a connection is the primary one of its namespace. */
export function isPrimaryConnection(latchkey: Pick<Latchkey, 'wallet'>, connection: Connection): boolean {
  return connectedWallet(connectionStateOf(latchkey, connection.namespace))?.connection === connection
}

/** True while a namespace waits for a wallet to restore its connection. */
export function isResuming(latchkey: Pick<Latchkey, 'wallet'>, namespace: Namespace, connectorId: string): boolean {
  const state = connectionStateOf(latchkey, namespace)
  return state.status === 'reconnecting' && state.connectorId === connectorId
}

/**
 * Returns the connector with an id.
 *
 * @throws LatchkeyError `connector/not-found`.
 */
export function getConnector(latchkey: Pick<Latchkey, 'connectors'>, id: string): Connector {
  const connector = latchkey.connectors.getState().find((candidate) => candidate.id === id)
  if (connector === undefined) throw connectionError('connector/not-found', { id })
  return connector
}

/** True if the connected wallet approved a network, or if no wallet is connected. */
export function isNetworkApproved(
  latchkey: Pick<Latchkey, 'wallet'>,
  { chainNamespace, caipNetworkId }: Network,
): boolean {
  const approved = connectedWallet(connectionStateOf(latchkey, chainNamespace))?.connection.approvedChains ?? 'all'
  return approved === 'all' || approved.includes(caipNetworkId)
}

/** A live connection with its network and adapter. */
export type ActiveConnection = { adapter: Adapter; state: Connected; network: Network }

/**
 * Returns the live connection of a namespace, which defaults to the active one.
 *
 * @throws LatchkeyError `connection/not-connected`.
 */
export function getActiveConnection(
  latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'wallet'>,
  namespace: Namespace | undefined = latchkey.wallet.getState().active,
): ActiveConnection {
  const state = namespace === undefined ? undefined : connectedWallet(connectionStateOf(latchkey, namespace))
  if (state === undefined) throw connectionError('connection/not-connected', {})
  const adapter = getAdapter(latchkey, namespace)
  return { adapter, state, network: findNetwork(latchkey, state.chainId) ?? adapter.unknownNetwork(state.chainId) }
}
