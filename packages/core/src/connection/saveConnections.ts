import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import type { Connected } from '../state/connectionState.ts'
import { listConnectedWallets } from '../state/connectedWallets.ts'
import { connectionStateOf } from '../state/getAccount.ts'
import type { RememberedConnection } from '../storage/memory.ts'
import { setConnections } from '../storage/setConnections.ts'

/** The maximum number of stored wallets per namespace. */
const limit = 8

/**
 * Stores the connections to restore after a reload: connected wallets, and wallets that are not restored yet.
 *
 * @param isLeft returns true for connections to remove from storage
 */
export function saveConnections(
  latchkey: Pick<Latchkey, 'wallet' | 'internal'>,
  namespace: Namespace,
  isLeft: (remembered: RememberedConnection) => boolean = () => false,
): void {
  const { wallet, internal } = latchkey
  const { memory, settings } = internal
  const state = connectionStateOf(latchkey, namespace)
  const [primary, ...others] = listConnectedWallets(latchkey, namespace)
  const connected = primary === undefined ? [] : [primary, ...others].map(toRemembered)
  const before = memory.remembered(namespace).filter((each) => !isLeft(each))
  // The first place is reserved for a primary wallet that is still reconnecting. The others follow in order of
  // connection.
  const first = state.status === 'reconnecting' ? state.connectorId : primary?.connectorId
  const known = settings.multiWallet || primary === undefined ? before : []
  const all = [...known.filter(isOf(first)), ...connected.filter(isOf(first)), ...known, ...connected]
  const latest = all.map((each) => connected.find(isOf(each.connectorId)) ?? each)
  setConnections(memory, namespace, [...new Set(latest)].slice(0, limit))
  if (primary !== undefined && wallet.getState().active === namespace) memory.setActiveNetwork(primary.chainId)
}

function isOf(id: string | undefined): (each: RememberedConnection) => boolean {
  return ({ connectorId }) => connectorId === id
}

function toRemembered({ connectorId, account, chainId, picked }: Connected): RememberedConnection {
  return { connectorId, account, chainId, ...(picked ? { picked } : {}) }
}
