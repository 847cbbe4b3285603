import type { Clock } from '@latchkey/core'
import { withResolvers } from '../primitives/withResolvers.ts'
import { walletConnectError } from '../walletConnectError.ts'
import type { ReconnectingSocket } from './reconnectingSocket.ts'
import type { RelayStatus } from './relayStatus.ts'

/**
 * Opens a socket and waits until it is open.
 *
 * @throws LatchkeyError `relay/refused`, `relay/unreachable`
 */
export async function waitUntilOpen(
  { open, status }: Pick<ReconnectingSocket, 'open' | 'status'>,
  clock: Clock,
  origin: string,
  timeoutSeconds: number,
): Promise<void> {
  open()
  const { promise, resolve, reject } = withResolvers<void>()
  const check = (current: RelayStatus): void => {
    if (current.state === 'open') resolve()
    if (current.state === 'refused') reject(walletConnectError('relay/refused', { reason: current.reason }))
  }
  const unsubscribe = status.subscribe(check)
  const cancel = clock.after(timeoutSeconds * 1000, () => reject(walletConnectError('relay/unreachable', { origin })))
  check(status.get())
  try {
    await promise
  } finally {
    unsubscribe()
    cancel()
  }
}
