import { LatchkeyError, type Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { standing } from '../state/connections.ts'
import { dispatch, stateOf } from '../state/wallet.ts'
import { drop } from './drop.ts'

/**
 * Disconnects one namespace, or all of them. A wallet that serves several namespaces by one session leaves all of
 * these. This side forgets first, so that it is disconnected whatever the wallet answers. What is being connected or
 * reconnected there is given up.
 *
 * @throws LatchkeyError `disconnect/failed` with what each wallet said, when one could not be told.
 * @example await disconnect(latchkey)
 */
export async function disconnect(latchkey: Latchkey, namespace?: Namespace): Promise<void> {
  const held = heldNamespaces(latchkey)
  const named = held.filter(([name]) => namespace === undefined || name === namespace)
  const leaving = new Set(named.map(([, connectorId]) => connectorId))
  const sessions = latchkey.connectors.getState().filter(({ id }) => leaving.has(id))
  const whole = new Set(sessions.filter(({ type }) => type !== 'injected').map(({ id }) => id))
  for (const [name, attempt] of latchkey.running.attempts) {
    if (namespace !== undefined && name !== namespace) continue
    attempt.abort()
    dispatch(latchkey, name, { type: 'failed' })
  }
  for (const [name, connectorId] of held) {
    if (whole.has(connectorId) || named.some(([other]) => other === name)) drop(latchkey, name, 'visitor')
  }
  latchkey.memory.setDeepLink(undefined)
  const kept = heldNamespaces(latchkey).map(([, connectorId]) => connectorId)
  const unused = sessions.filter(({ id }) => !kept.includes(id))
  const results = await Promise.allSettled(unused.map(async (connector) => connector.disconnect()))
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [reasonOf(result.reason)] : []))
  if (reasons.length > 0) throw new LatchkeyError('disconnect/failed', { reasons })
}

/** The namespaces that have a wallet or are on the way back to it, each with the wallet's connector. */
function heldNamespaces(latchkey: Latchkey): ReadonlyArray<[Namespace, string]> {
  return latchkey.adapters.flatMap(({ namespace }): Array<[Namespace, string]> => {
    const state = stateOf(latchkey, namespace)
    const held = state.status === 'reconnecting' ? state : standing(state)
    return held === undefined ? [] : [[namespace, held.connectorId]]
  })
}

function reasonOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
