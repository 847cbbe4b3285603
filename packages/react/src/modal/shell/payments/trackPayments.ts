import type { Latchkey } from '@latchkey/core'
import { connectedWallet, internalsOf } from '@latchkey/core/internal'
import { parseAccountId, type AccountId } from '@latchkey/protocol'

type TrackPaymentsOptions = {
  locale: string | undefined
  /** True once the modal was open. */
  wasOpen: boolean
  /** True if the caller has stopped in the meantime. */
  isEnded: () => boolean
}

/**
 * Follows the payments of the connected accounts, with the texts of a language. Without a pending payment of an earlier
 * page load, it waits until the modal was open: most pages never need its code.
 *
 * @returns a function that stops it
 */
export async function trackPayments(
  latchkey: Latchkey,
  { locale, wasOpen, isEnded }: TrackPaymentsOptions,
): Promise<() => void> {
  const { namespaces } = latchkey.wallet.getState()
  const accounts = Object.values(namespaces).flatMap((state) => connectedWallet(state)?.account ?? [])
  if (!wasOpen && !accounts.some((account) => hasStoredPayments(latchkey, account))) return () => {}
  const { loadFollowing } = await import('./loadFollowing.ts')
  const follow = await loadFollowing(locale)
  // A follower that started after the next one, and then stopped, would remove the count of the next one.
  return isEnded() ? () => {} : follow(latchkey)
}

/** True if an earlier page load stored payments of an account. They are parsed when they are followed. */
function hasStoredPayments(latchkey: Pick<Latchkey, 'networks' | 'internal'>, account: AccountId): boolean {
  const { memory } = internalsOf(latchkey)
  const { address } = parseAccountId(account)
  return latchkey.networks.some(({ caipNetworkId }) => memory.read(`pending/${caipNetworkId}/${address}`) !== undefined)
}
