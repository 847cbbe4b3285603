import { LatchkeyError, type Namespace, type Network } from '@latchkey/protocol'
import type { Adapter } from '../adapter.ts'
import type { Connection, Connector } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import { standing, type Connected } from './connections.ts'
import { adapterOf, findNetwork, stateOf } from './wallet.ts'

/** All wallets that stand in a namespace, the primary one first. */
export function walletsOf(latchkey: Latchkey, namespace: Namespace): readonly Connected[] {
  const { namespaces, others } = latchkey.wallet.getState()
  const primary = standing(namespaces[namespace])
  return [...(primary === undefined ? [] : [primary]), ...(others[namespace] ?? [])]
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
