import type { Latchkey } from '../../instance/latchkey.ts'
import { fetchRecord } from './records.ts'

/**
 * Returns the time at which a name expires, in milliseconds, or undefined if it does not resolve or the server reports none.
 *
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-response`.
 * @example const expiry = await getNameExpiry(latchkey, 'user.latchkey.example')
 */
export async function getNameExpiry(
  latchkey: Latchkey,
  name: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number | undefined> {
  return (await fetchRecord(latchkey, name, signal))?.expiresAt
}
