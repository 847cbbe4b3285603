import { parseAccountId, type AccountId } from '@latchkey/protocol'
import type { Latchkey } from '../../instance/latchkey.ts'
import { fetchOffers } from './records.ts'
import { readZones } from './zones.ts'

/**
 * Returns the names that are offered to an account. It owns one once it accepts it with `acceptName`.
 *
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-response`.
 * @example const [offered] = await listNameOffers(latchkey, account)
 */
export async function listNameOffers(
  latchkey: Latchkey,
  account: AccountId,
  { signal }: { signal?: AbortSignal } = {},
): Promise<readonly string[]> {
  const { zones } = await readZones(latchkey)
  if (zones.length === 0) return []
  return (await fetchOffers(latchkey, parseAccountId(account).address, signal)).map(({ name }) => name)
}
