import type { AccountId } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { readPurchases } from './parseBuyQuote.ts'
import type { Purchase } from './state.ts'
import { getCached, setCached } from '../../storage/getCached.ts'

/** The maximum age and number of purchases that this browser stores. */
const remembered = { milliseconds: 90 * 86_400_000, count: 20 } as const

const purchasesKey = (account: AccountId): string => `purchases/${account}`

/** Stores the id of a started purchase. The status can only be requested with the id. */
export function rememberPurchase(latchkey: Pick<Latchkey, 'internal'>, account: AccountId, id: string): void {
  const ids = [id, ...purchaseIds(latchkey, account)].slice(0, remembered.count)
  setCached(latchkey.internal, purchasesKey(account), ids.join(','))
}

/** Returns the ids of an account's purchases in this browser, newest first. */
function purchaseIds(latchkey: Pick<Latchkey, 'internal'>, account: AccountId): readonly string[] {
  const kept = getCached(latchkey.internal, purchasesKey(account), remembered.milliseconds) ?? ''
  return kept.split(',').filter(isPurchaseId)
}

/** True if a stored value has the form of a purchase's id. */
export function isPurchaseId(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z]+_[\w-]{22}$/.test(value)
}

/**
 * Returns the purchases that an account started in this browser, newest first.
 *
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-response`.
 * @example const purchases = await listPurchases(latchkey, account)
 */
export async function listPurchases(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  account: AccountId,
  signal?: AbortSignal,
): Promise<readonly Purchase[]> {
  const ids = purchaseIds(latchkey, account)
  if (ids.length === 0) return []
  const known = await fetchPurchases(latchkey, ids, signal)
  return ids.flatMap((id) => known.filter((purchase) => purchase.id === id))
}

/**
 * Fetches the status of purchases.
 *
 * @throws LatchkeyError `http/…`
 */
export async function fetchPurchases(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Purchase[]> {
  return readPurchases(
    await fetchJson(latchkey, serverUrl(latchkey, '/v1/onramp/purchases', { ids: ids.join(',') }), signal),
  )
}
