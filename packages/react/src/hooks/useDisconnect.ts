import { disconnect, type DisconnectTarget } from '@latchkey/core'
import { useLatchkey } from '../context.ts'

/**
 * Returns a function that disconnects one wallet, one namespace, or everything.
 *
 * @example const { disconnect } = useDisconnect()
 */
export function useDisconnect(): {
  /** @throws LatchkeyError `disconnect/failed`: the connection has ended here, but a wallet was not notified */
  disconnect(target?: DisconnectTarget): Promise<void>
} {
  const latchkey = useLatchkey()
  return { disconnect: (target) => disconnect(latchkey, target) }
}
