import { disconnect } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { useLatchkey } from '../context.ts'

/**
 * Disconnects one namespace, or all of them.
 *
 * @example const { disconnect } = useDisconnect()
 */
export function useDisconnect(): {
  /** @throws LatchkeyError `disconnect/failed`: here it is over, but a wallet could not be told. */
  disconnect(namespace?: Namespace): Promise<void>
} {
  const latchkey = useLatchkey()
  return { disconnect: (namespace) => disconnect(latchkey, namespace) }
}
