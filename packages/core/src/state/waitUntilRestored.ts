import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'

/** Waits until the stored connection of a namespace is restored, or given up. */
export function waitUntilRestored({ wallet }: Pick<Latchkey, 'wallet'>, namespace: Namespace): Promise<void> {
  const isRestoring = (): boolean => wallet.getState().namespaces[namespace]?.status === 'reconnecting'
  if (!isRestoring()) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = wallet.subscribe(() => {
      if (isRestoring()) return
      stop()
      resolve()
    })
  })
}
