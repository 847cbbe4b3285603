/**
 * The page in which an adapter looks for wallets by default.
 *
 * @returns `window`, or `undefined` on a server
 * @example const { page = defaultPage() } = options
 */
export function defaultPage(): EventTarget | undefined {
  return typeof window === 'undefined' ? undefined : window
}
