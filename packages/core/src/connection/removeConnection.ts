import type { Namespace } from '@latchkey/protocol'
import type { EndReason } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { dispatch } from '../state/dispatch.ts'
import { listConnectedWallets } from '../state/connectedWallets.ts'
import { saveConnections } from './saveConnections.ts'

/** The cause of an ended connection, and its wallet. Without an id, it covers all wallets of the namespace. */
export type ConnectionEnd = { by: 'user' | 'wallet' | 'other-tab'; reason?: EndReason; connectorId?: string }

/** Removes a connection from the state and from storage. The wallet is not contacted. */
export function removeConnection(
  latchkey: Pick<Latchkey, 'wallet' | 'events' | 'internal'>,
  namespace: Namespace,
  { by, reason = by, connectorId }: ConnectionEnd,
): void {
  const before = listConnectedWallets(latchkey, namespace)
  dispatch(latchkey, namespace, { type: 'ended', connectorId, reason })
  unfollowConnections(latchkey, namespace)
  // A locked wallet still accepts the connection once it is unlocked.
  if (by !== 'other-tab' && reason !== 'locked')
    saveConnections(latchkey, namespace, ({ connectorId: id }) => id === (connectorId ?? id))
  const after = listConnectedWallets(latchkey, namespace)
  if (after.length === before.length) return
  const [primary] = after
  if (primary === undefined) {
    latchkey.events.emit({ type: 'disconnect', namespace, by, ...(reason !== by && { reason }) })
  } else if (connectorId !== undefined) {
    latchkey.events.emit({ type: 'wallet-left', namespace, connectorId, by })
  }
  if (primary !== undefined && primary !== before[0])
    latchkey.events.emit({ type: 'account', account: primary.account })
}

/** Stops following wallets of a namespace that are no longer connected. */
export function unfollowConnections(latchkey: Pick<Latchkey, 'wallet' | 'internal'>, namespace: Namespace): void {
  const connected = listConnectedWallets(latchkey, namespace).map(({ connection }) => connection)
  for (const [connection, stop] of latchkey.internal.tasks.followed) {
    if (connection.namespace !== namespace || connected.includes(connection)) continue
    latchkey.internal.tasks.followed.delete(connection)
    stop()
  }
}
