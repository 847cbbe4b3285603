import type { Connection, Latchkey } from '@latchkey/core'
import { type AccountId, type Namespace, connectionError } from '@latchkey/protocol'

/**
 * The wallet that is connected to a namespace, and its selected account.
 *
 * @throws LatchkeyError `connection/not-connected`
 * @example const { connection, account } = requireConnectedWallet(latchkey, 'solana')
 */
export function requireConnectedWallet(
  { wallet }: Pick<Latchkey, 'wallet'>,
  namespace: Namespace,
): { connection: Connection; account: AccountId } {
  const state = wallet.getState().namespaces[namespace]
  if (state?.status !== 'connected') throw connectionError('connection/not-connected', {})
  return state
}
