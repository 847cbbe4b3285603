import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import type { Connected } from '../state/connections.ts'
import { walletsOf } from '../state/standing.ts'
import { stateOf } from '../state/wallet.ts'
import type { RememberedConnection } from '../storage/memory.ts'

/** How many wallets of a namespace are remembered at most. */
const limit = 8

/**
 * Writes down what to take up again after a reload: the wallets that stand, and those that did not come back yet.
 *
 * @param left the connector that is not to be remembered any more
 */
export function remember(latchkey: Latchkey, namespace: Namespace, left?: string): void {
  const wallets = walletsOf(latchkey, namespace)
  const standing = wallets.map(toRemembered)
  const absent = latchkey.memory
    .remembered(namespace)
    .filter(({ connectorId }) => connectorId !== left && !standing.some((each) => each.connectorId === connectorId))
  const kept = latchkey.settings.multiWallet || wallets.length === 0 ? absent : []
  const state = stateOf(latchkey, namespace)
  // The first place is kept for who is on his way back to it.
  const isFirst = (each: RememberedConnection): boolean =>
    state.status === 'reconnecting' && state.connectorId === each.connectorId
  const all = [...kept.filter(isFirst), ...standing, ...kept.filter((each) => !isFirst(each))]
  latchkey.memory.setConnections(namespace, all.slice(0, limit))
  const [primary] = wallets
  if (primary !== undefined && latchkey.wallet.getState().active === namespace) {
    latchkey.memory.setActiveNetwork(primary.chainId)
  }
}

function toRemembered({ connectorId, account, chainId, picked }: Connected): RememberedConnection {
  return { connectorId, account, chainId, ...(picked ? { picked } : {}) }
}
