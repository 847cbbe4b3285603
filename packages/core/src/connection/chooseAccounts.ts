import { type Namespace, requestError } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { getActiveConnection } from '../state/connectedWallets.ts'

/**
 * Opens the wallet's dialog in which the user selects the accounts that the app may see.
 *
 * @param namespace the active namespace if omitted
 * @throws LatchkeyError `connection/not-connected`, `request/not-allowed` if the wallet has no such dialog,
 * `request/rejected`
 * @example await chooseAccounts(latchkey)
 */
export async function chooseAccounts(latchkey: Latchkey, namespace?: Namespace): Promise<void> {
  const { connection } = getActiveConnection(latchkey, namespace).state
  if (connection.chooseAccounts === undefined) {
    throw requestError('request/not-allowed', { method: 'chooseAccounts' })
  }
  await connection.chooseAccounts()
}
