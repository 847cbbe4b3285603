import { parseAccountId, type AccountId } from '@latchkey/protocol'
import { invalidateBalances } from '../account/invalidateBalances.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { setCached } from '../storage/getCached.ts'

/**
 * Removes cached data about accounts. The recent receivers stay, because look-alike addresses are recognised by them; the
 * user can remove each of them.
 */
export function forgetCaches(latchkey: Pick<Latchkey, 'networks' | 'internal'>, accounts: readonly AccountId[]): void {
  for (const account of accounts) {
    const { address, namespace } = parseAccountId(account)
    for (const { caipNetworkId, chainNamespace } of latchkey.networks) {
      if (chainNamespace !== namespace) continue
      setCached(latchkey.internal, `identity/${caipNetworkId}:${address}`, undefined)
      setCached(latchkey.internal, `names/${caipNetworkId}:${address}`, undefined)
      invalidateBalances(latchkey, account, caipNetworkId)
    }
  }
}
