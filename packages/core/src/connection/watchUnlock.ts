import type { Connector } from '../contracts/connector.ts'
import type { Latchkey, Tasks } from '../instance/latchkey.ts'
import { connectionStateOf } from '../state/getAccount.ts'
import { restoreWith } from './restore.ts'

/**
 * Waits until the user unlocks the wallets whose connections ended with the lock, and restores these connections. They
 * stay stored until then. Repeated calls share one wait.
 */
export function watchUnlock(latchkey: Latchkey): void {
  const { memory, tasks } = latchkey.internal
  for (const { namespace } of latchkey.adapters) {
    const state = connectionStateOf(latchkey, namespace)
    const [remembered] = memory.remembered(namespace)
    if (state.status !== 'disconnected' || state.reason !== 'locked' || remembered === undefined) continue
    const { connectorId } = remembered
    const connector = latchkey.connectors.getState().find(({ id }) => id === connectorId)
    if (connector?.watchUnlock === undefined || tasks.unlocking.has(connectorId)) continue
    if (tasks.unlocking.size === 0) tasks.stops.push(() => stopWaiting(tasks))
    const stop = waitForUnlock(connector, () => {
      tasks.unlocking.get(connectorId)?.()
      tasks.unlocking.delete(connectorId)
      restoreWith(latchkey, connectorId)
    })
    tasks.unlocking.set(connectorId, stop)
  }
}

function stopWaiting({ unlocking }: Pick<Tasks, 'unlocking'>): void {
  for (const stop of unlocking.values()) stop()
  unlocking.clear()
}

/**
 * Waits until a wallet is unlocked.
 *
 * @returns a function that stops waiting, even before the code of the wallet is loaded
 */
function waitForUnlock(connector: Connector, unlocked: () => void): () => void {
  let isStopped = false
  let stop = (): void => {}
  connector
    .watchUnlock?.(() => {
      if (!isStopped) unlocked()
    })
    .then(
      (stopWatching = stop) => {
        if (isStopped) stopWatching()
        else stop = stopWatching
      },
      // Without the code, the wallet is not watched. The user can still connect it again.
      () => undefined,
    )
  return () => {
    isStopped = true
    stop()
  }
}
