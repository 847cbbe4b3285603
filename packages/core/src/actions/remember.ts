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
  const [primary, ...others] = walletsOf(latchkey, namespace)
  const standing = primary === undefined ? [] : [primary, ...others].map(toRemembered)
  const before = memory.remembered(namespace).filter((each) => !isLeft(each))
  // The first place is kept for who is on his way back to it; behind it, the order is that in which they came.
  const first = state.status === 'reconnecting' ? state.connectorId : primary?.connectorId
  const known = settings.multiWallet || primary === undefined ? before : []
  const all = [...known.filter(isOf(first)), ...standing.filter(isOf(first)), ...known, ...standing]
  const latest = all.map((each) => standing.find(isOf(each.connectorId)) ?? each)
  memory.setConnections(namespace, [...new Set(latest)].slice(0, limit))
  if (primary !== undefined && wallet.getState().active === namespace) memory.setActiveNetwork(primary.chainId)
}

function isOf(id: string | undefined): (each: RememberedConnection) => boolean {
  return ({ connectorId }) => connectorId === id
}

function toRemembered({ connectorId, account, chainId, picked }: Connected): RememberedConnection {
  return { connectorId, account, chainId, ...(picked ? { picked } : {}) }
}
