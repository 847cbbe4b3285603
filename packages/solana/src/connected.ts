import type { Connection, Latchkey } from '@latchkey/core'
import { LatchkeyError, type AccountId } from '@latchkey/protocol'

/**
 * The Solana wallet of an instance, and its selected account.
 *
 * @throws LatchkeyError `connection/not-connected`.
 */
export function connected({ wallet }: Latchkey): { connection: Connection; account: AccountId } {
  const state = wallet.getState().namespaces.solana
  if (state?.status !== 'connected') throw new LatchkeyError('connection/not-connected', {})
  return state
}
