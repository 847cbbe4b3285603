import type { Connection, Latchkey } from '@latchkey/core'
import { LatchkeyError, type AccountId, type Namespace } from '@latchkey/protocol'

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
  if (state?.status !== 'connected') throw new LatchkeyError('connection/not-connected', {})
  return state
}
