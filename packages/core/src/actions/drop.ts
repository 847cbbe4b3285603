import type { Namespace } from '@latchkey/protocol'
import type { EndReason } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import { dispatch } from '../state/dispatch.ts'
import { walletsOf } from '../state/standing.ts'
import { remember } from './remember.ts'

/** Who ended a connection, why if it was not who, and of which wallet: of all of the namespace without an id. */
export type Ending = { by: 'visitor' | 'wallet' | 'other-tab'; reason?: EndReason; connectorId?: string }

/** Forgets a connection on this side, whoever ended it. The wallet is not asked. */
export function drop(latchkey: Latchkey, namespace: Namespace, { by, reason = by, connectorId }: Ending): void {
  const before = walletsOf(latchkey, namespace)
  dispatch(latchkey, namespace, { type: 'ended', connectorId, reason })
  unfollow(latchkey, namespace)
  // A wallet that was only locked knows us when it is unlocked.
  if (by !== 'other-tab' && reason !== 'locked')
    remember(latchkey, namespace, ({ connectorId: id }) => id === (connectorId ?? id))
  const after = walletsOf(latchkey, namespace)
  if (after.length === before.length) return
  const [primary] = after
  if (primary === undefined) latchkey.events.emit({ type: 'disconnect', namespace, by })
  else if (connectorId !== undefined) latchkey.events.emit({ type: 'wallet-left', namespace, connectorId, by })
  if (primary !== undefined && primary !== before[0])
    latchkey.events.emit({ type: 'account', account: primary.account })
  latchkey.running.leaveViews()
}

/** Stops following the wallets of a namespace that do not stand any more. */
export function unfollow(latchkey: Latchkey, namespace: Namespace): void {
  const standing = walletsOf(latchkey, namespace).map(({ connection }) => connection)
  for (const [connection, stop] of latchkey.running.followed) {
    if (connection.namespace !== namespace || standing.includes(connection)) continue
    latchkey.running.followed.delete(connection)
    stop()
  }
}
