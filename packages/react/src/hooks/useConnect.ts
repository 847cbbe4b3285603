import { connect, type ConnectOptions } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import { useLatchkey } from '../context.ts'

/**
 * Connects a wallet without the modal.
 *
 * @example const { connect } = useConnect()
 * <button onClick={() => connect('io.example.wallet')}>Connect</button>
 */
export function useConnect(): {
  /** @throws LatchkeyError as `connect` of `@latchkey/core` */
  connect(connectorId: string, options?: ConnectOptions): Promise<AccountId>
} {
  const latchkey = useLatchkey()
  return { connect: (connectorId, options) => connect(latchkey, connectorId, options) }
}
