import { switchConnection } from '@latchkey/core'
import type { AccountId, Namespace } from '@latchkey/protocol'
import { useLatchkey } from '../context.ts'

/**
 * Returns a function that makes another connected wallet the primary one. No wallet request is sent.
 *
 * @example const { switchConnection } = useSwitchConnection()
 */
export function useSwitchConnection(): {
  /** @throws LatchkeyError `account/not-found` if the wallet is not connected there, or does not share the account */
  switchConnection(target: { namespace: Namespace; connectorId: string; account?: AccountId }): void
} {
  const latchkey = useLatchkey()
  return { switchConnection: (target) => switchConnection(latchkey, target) }
}
