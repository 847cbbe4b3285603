import type { Namespace } from '@latchkey/protocol'
import type { Connector } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { isSameIdentity } from '../walletList/isSameIdentity.ts'

type KnownConnectors = Pick<Latchkey, 'connectors' | 'internal'>

/**
 * Notifies connectors that the app disconnected. An extension with a connector in each namespace has one permission for
 * all of them: revoking it in one namespace would end the others. It is notified when its last namespace disconnects, of
 * all that were disconnected before.
 *
 * @param left the disconnected connectors
 * @param kept the ids of the connectors that stay connected
 * @returns the results, in any order
 */
export function notifyConnectors(
  latchkey: KnownConnectors,
  left: readonly Connector[],
  kept: readonly string[],
): Promise<PromiseSettledResult<void>[]> {
  const { unnotified } = latchkey.internal.tasks
  const all = latchkey.connectors.getState()
  const keptConnectors = all.filter(({ id }) => kept.includes(id))
  for (const { id } of left) unnotified.add(id)
  const due = all.filter((connector) => {
    const sharesWith = (other: Connector): boolean => sharesPermission(connector, other)
    // Each is notified once: `delete` is false if it was notified before.
    return left.some(sharesWith) && !keptConnectors.some(sharesWith) && unnotified.delete(connector.id)
  })
  return Promise.allSettled(due.map(async (connector) => connector.disconnect()))
}

/** True if two connectors are the same, or belong to one extension in different namespaces. */
function sharesPermission(one: Connector, other: Connector): boolean {
  if (one.id === other.id) return true
  const isShared = (namespace: Namespace): boolean => other.namespaces.includes(namespace)
  if (one.type !== 'injected' || other.type !== 'injected' || one.namespaces.some(isShared)) return false
  return isSameIdentity(one, other)
}
