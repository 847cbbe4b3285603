import { serverUrl } from '../api/fetchJson.ts'
import type { Latchkey } from '../instance/latchkey.ts'

/**
 * Returns the URL of the server's picture for a native currency or listed token, or undefined without a server. Only symbols
 * that the server itself named may be passed: anyone can create a token with any symbol.
 *
 * @example const src = tokenImageUrl(latchkey, 'ETH')
 */
export function tokenImageUrl(latchkey: Pick<Latchkey, 'internal'>, symbol: string): string | undefined {
  if (latchkey.internal.settings.server === undefined) return undefined
  return serverUrl(latchkey, `/public/getTokenImage/${encodeURIComponent(symbol)}`).href
}
