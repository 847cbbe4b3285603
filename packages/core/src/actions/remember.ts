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
 * @param isLeft tells which of these are not to be remembered any more
 */
export function remember(
  latchkey: Latchkey,
  namespace: Namespace,
  isLeft: (remembered: RememberedConnection) => boolean = () => false,
): void {
  const { memory, settings, wallet } = latchkey
  const state = stateOf(latchkey, namespace)
  const [primary, ...others] = walletsOf(latchkey, namespace).map(toRemembered)
  const standing = primary === undefined ? [] : [primary, ...others]
  const absent = memory
    .remembered(namespace)
    .filter((each) => !isLeft(each) && !standing.some(({ connectorId }) => connectorId === each.connectorId))
  const kept = settings.multiWallet || primary === undefined ? absent : []
  // The first place is kept for who is on his way back to it.
  const coming = state.status === 'reconnecting' ? kept.filter((each) => each.connectorId === state.connectorId) : []
  memory.setConnections(namespace, [...new Set([...coming, ...standing, ...kept])].slice(0, limit))
  if (primary !== undefined && wallet.getState().active === namespace) memory.setActiveNetwork(primary.chainId)
}

function toRemembered({ connectorId, account, chainId, picked }: Connected): RememberedConnection {
  return { connectorId, account, chainId, ...(picked ? { picked } : {}) }
}
