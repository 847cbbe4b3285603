import { LatchkeyError, type Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { requireConnected } from '../state/standing.ts'

/**
 * Lets the visitor choose in the wallet's own dialog which accounts the app may see.
 *
 * @param namespace the active one when left out
 * @throws LatchkeyError `connection/not-connected`, `request/not-allowed` when the wallet has no such dialog,
 *   `request/rejected`.
 * @example await chooseAccounts(latchkey)
 */
export async function chooseAccounts(latchkey: Latchkey, namespace?: Namespace): Promise<void> {
  const { connection } = requireConnected(latchkey, namespace).state
  if (connection.chooseAccounts === undefined) {
    throw new LatchkeyError('request/not-allowed', { method: 'chooseAccounts' })
  }
  await connection.chooseAccounts()
}
