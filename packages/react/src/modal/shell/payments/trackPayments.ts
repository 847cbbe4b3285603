import type { Latchkey } from '@latchkey/core'
import { connectedWallet, internalsOf } from '@latchkey/core/internal'
import { parseAccountId, type AccountId } from '@latchkey/protocol'

/**
 * Follows the payments of the connected accounts, with the texts of a language. Without a pending payment of an earlier
 * page load, it waits until the modal was open: most pages never need its code.
 *
 * @returns a function that stops it
 */
export async function trackPayments(
  latchkey: Latchkey,
  locale: string | undefined,
  wasOpen: boolean,
): Promise<() => void> {
  const { namespaces } = latchkey.wallet.getState()
  const accounts = Object.values(namespaces).flatMap((state) => connectedWallet(state)?.account ?? [])
  if (!wasOpen && !accounts.some((account) => hasStoredPayments(latchkey, account))) return () => {}
  const { loadFollowing } = await import('./loadFollowing.ts')
  const follow = await loadFollowing(locale)
  return follow(latchkey)
}

/** True if an earlier page load stored payments of an account. They are parsed when they are followed. */
function hasStoredPayments(latchkey: Pick<Latchkey, 'networks' | 'internal'>, account: AccountId): boolean {
  const { memory } = internalsOf(latchkey)
  const { address } = parseAccountId(account)
  return latchkey.networks.some(({ caipNetworkId }) => memory.read(`pending/${caipNetworkId}/${address}`) !== undefined)
}
