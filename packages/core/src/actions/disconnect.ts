import { LatchkeyError, type Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { standing } from '../state/connections.ts'
import { connectedNamespaces, stateOf } from '../state/wallet.ts'
import { drop } from './drop.ts'

/**
 * Disconnects one namespace, or all of them. A wallet that serves several namespaces by one session leaves all of
 * these. This side forgets first, so that it is disconnected whatever the wallet answers.
 *
 * @throws LatchkeyError `disconnect/failed` with what each wallet said, when one could not be told.
 * @example await disconnect(latchkey)
 */
export async function disconnect(latchkey: Latchkey, namespace?: Namespace): Promise<void> {
  const connected = connectedNamespaces(latchkey)
  const named = connected.filter(([name]) => namespace === undefined || name === namespace)
  const leaving = new Set(named.map(([, state]) => state.connectorId))
  const sessions = latchkey.connectors.getState().filter(({ id }) => leaving.has(id))
  const whole = new Set(sessions.filter(({ type }) => type !== 'injected').map(({ id }) => id))
  for (const [name, state] of connected) {
    if (whole.has(state.connectorId) || named.some(([other]) => other === name)) drop(latchkey, name, 'visitor')
  }
  latchkey.memory.setDeepLink(undefined)
  const kept = latchkey.adapters.map((adapter) => standing(stateOf(latchkey, adapter.namespace))?.connectorId)
  const unused = sessions.filter(({ id }) => !kept.includes(id))
  const results = await Promise.allSettled(unused.map((connector) => connector.disconnect()))
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [reasonOf(result.reason)] : []))
  if (reasons.length > 0) throw new LatchkeyError('disconnect/failed', { reasons })
}

function reasonOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
