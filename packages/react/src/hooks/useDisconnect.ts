import { disconnect, type DisconnectTarget } from '@latchkey/core'
import { useLatchkey } from '../context.ts'

/**
 * Disconnects one wallet, one chain family, or everything.
 *
 * @example const { disconnect } = useDisconnect()
 */
export function useDisconnect(): {
  /** @throws LatchkeyError `disconnect/failed`: here it is over, but a wallet could not be told. */
  disconnect(target?: DisconnectTarget): Promise<void>
} {
  const latchkey = useLatchkey()
  return { disconnect: (target) => disconnect(latchkey, target) }
}
