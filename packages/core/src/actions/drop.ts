import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { standing } from '../state/connections.ts'
import { dispatch, stateOf } from '../state/wallet.ts'
import { leaveAccountViews } from './navigation.ts'

/** Forgets a connection on this side, whoever ended it. The wallet is not asked. */
export function drop(latchkey: Latchkey, namespace: Namespace, by: 'visitor' | 'wallet' | 'other-tab'): void {
  const wasConnected = standing(stateOf(latchkey, namespace)) !== undefined
  latchkey.running.followed.get(namespace)?.()
  latchkey.running.followed.delete(namespace)
  dispatch(latchkey, namespace, { type: 'ended' })
  if (by !== 'other-tab') latchkey.memory.setConnection(namespace, undefined)
  if (!wasConnected) return
  latchkey.events.emit({ type: 'disconnect', namespace, by })
  leaveAccountViews(latchkey)
}
