import type { AccountId } from '@latchkey/protocol'
import { ask, serverUrl } from '../../api/ask.ts'
import type { Latchkey } from '../../latchkey.ts'
import { readPurchases } from './answers.ts'
import type { Purchase } from './state.ts'

/** How long, and how many, purchases are remembered in this browser. */
const remembered = { milliseconds: 90 * 86_400_000, count: 20 } as const

const keyOf = (account: AccountId): string => `purchases/${account}`

/** Remembers a purchase that was begun here: only who has its id can ask for it. */
export function rememberPurchase(latchkey: Latchkey, account: AccountId, id: string): void {
  const ids = [id, ...purchaseIds(latchkey, account)].slice(0, remembered.count)
  latchkey.memory.setCached(keyOf(account), ids.join(','))
}

/** The ids of the purchases that were begun here for an account, newest first. */
function purchaseIds(latchkey: Latchkey, account: AccountId): readonly string[] {
  const kept = latchkey.memory.cached(keyOf(account), remembered.milliseconds) ?? ''
  return kept.split(',').filter((id) => /^[a-z]+_[\w-]{22}$/.test(id))
}

/**
 * How the purchases stand that were begun in this browser for an account, newest first.
 *
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-answer`.
 * @example const purchases = await listPurchases(latchkey, account)
 */
export async function listPurchases(
  latchkey: Latchkey,
  account: AccountId,
  signal?: AbortSignal,
): Promise<readonly Purchase[]> {
  const ids = purchaseIds(latchkey, account)
  if (ids.length === 0) return []
  const known = await askPurchases(latchkey, ids, signal)
  return ids.flatMap((id) => known.filter((purchase) => purchase.id === id))
}

/** Asks how purchases stand. @throws LatchkeyError `http/…` */
export async function askPurchases(
  latchkey: Latchkey,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Purchase[]> {
  return readPurchases(await ask(latchkey, serverUrl(latchkey, '/v1/onramp/purchases', { ids: ids.join(',') }), signal))
}
