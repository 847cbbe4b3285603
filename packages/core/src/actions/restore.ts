import type { Namespace } from '@latchkey/protocol'
import type { Connector } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import type { RememberedConnections } from '../storage/memory.ts'
import { standing } from '../state/connections.ts'
import { getAccount, isResuming, stateOf } from '../state/wallet.ts'
import { drop } from './drop.ts'
import { adopt } from './follow.ts'
import { guardNetwork } from './guardNetwork.ts'
import { welcomeBack } from './navigation.ts'

/**
 * Asks a wallet whether it still knows us, and takes up what it grants. Loaded when there is something to take up.
 *
 * @throws anything when the wallet does not say
 */
export async function restore(
  latchkey: Latchkey,
  connector: Connector,
  namespaces: readonly Namespace[],
  signal: AbortSignal,
): Promise<void> {
  const networks = latchkey.networks.filter((network) => namespaces.includes(network.chainNamespace))
  const granted = await connector.restore({ networks, signal })
  for (const namespace of namespaces) {
    if (!isResuming(latchkey, namespace, connector.id)) continue
    const connection = granted.find((candidate) => candidate.namespace === namespace)
    if (connection === undefined) {
      drop(latchkey, namespace, 'wallet')
      continue
    }
    adopt(latchkey, connector.id, connection)
    const [account] = connection.accounts
    latchkey.events.emit({ type: 'connect', connectorId: connector.id, account, restored: true })
  }
  if (getAccount(latchkey).status === 'connected') welcomeBack(latchkey)
  guardNetwork(latchkey)
}

/** Forgets the connections that another tab ended or replaced. */
export function dropOthers(latchkey: Latchkey, connections: RememberedConnections): void {
  for (const { namespace } of latchkey.adapters) {
    const state = stateOf(latchkey, namespace)
    const there = connections[namespace]
    const held = state.status === 'reconnecting' ? state : standing(state)
    if (held !== undefined && there?.connectorId !== held.connectorId) drop(latchkey, namespace, 'other-tab')
  }
}
