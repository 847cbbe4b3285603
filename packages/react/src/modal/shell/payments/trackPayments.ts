import type { Latchkey } from '@latchkey/core'
import { connectedWallet, internalsOf } from '@latchkey/core/internal'
import { parseAccountId, type AccountId } from '@latchkey/protocol'

/**
 * Follows the payments of the connected accounts, with the texts of a language. Without a pending payment of an earlier
 * page load, it waits until the modal was open: most pages never need its code.
 *
 * @returns a function that stops it
 */
export function trackPayments(latchkey: Latchkey, locale: string | undefined, wasOpen: boolean): () => void {
  const { namespaces } = latchkey.wallet.getState()
  const accounts = Object.values(namespaces).flatMap((state) => connectedWallet(state)?.account ?? [])
  if (!wasOpen && !accounts.some((account) => hasStoredPayments(latchkey, account))) return () => {}
  let isEnded = false
  const following = import('./loadFollowing.ts')
    .then(({ loadFollowing }) => loadFollowing(locale))
    // A run that started after its successor, and then stopped, would remove the count of the successor.
    .then((follow) => (isEnded ? undefined : follow(latchkey)))
    // Without the code the payments are checked when the modal opens again.
    .catch(() => undefined)
  return () => {
    isEnded = true
    void following.then((stop) => stop?.())
  }
}

/** True if an earlier page load stored payments of an account, or purchases. They are parsed when they are followed. */
function hasStoredPayments(latchkey: Pick<Latchkey, 'networks' | 'internal'>, account: AccountId): boolean {
  const { memory } = internalsOf(latchkey)
  const { address } = parseAccountId(account)
  // Purchases of all accounts share one entry.
  if (memory.read('started_purchases') !== undefined) return true
  return latchkey.networks.some(({ caipNetworkId }) => memory.read(`pending/${caipNetworkId}/${address}`) !== undefined)
}
