import { switchConnection } from '@latchkey/core'
import type { AccountId, Namespace } from '@latchkey/protocol'
import { useLatchkey } from '../context.ts'

/**
 * Goes on with another of the connected wallets. No wallet is asked.
 *
 * @example const { switchConnection } = useSwitchConnection()
 */
export function useSwitchConnection(): {
  /** @throws LatchkeyError `account/not-found` when the wallet is not connected there, or does not share the account. */
  switchConnection(target: { namespace: Namespace; connectorId: string; account?: AccountId }): void
} {
  const latchkey = useLatchkey()
  return { switchConnection: (target) => switchConnection(latchkey, target) }
}
