const longestName = 60
/** Longer data URIs are too heavy for a row of the wallet list. */
const longestIcon = 200_000

/**
 * Cleans a name that a wallet gave itself or an account. Invisible characters are removed: some of them reverse the
 * direction of the writing around them.
 *
 * @returns at most 60 characters, or `undefined` if nothing visible remains
 * @example parseWalletName('Example\u202e Wallet') // 'Example Wallet'
 */
export function parseWalletName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const visible = name.replace(/\p{C}/gu, '').trim().slice(0, longestName)
  return visible === '' ? undefined : visible
}

/**
 * Accepts a wallet's icon only as a data URI. Any other address would be fetched, and so tell a server that the page
 * was opened.
 *
 * @returns the icon, or `undefined` if it is not an image or too large
 * @example parseWalletIcon('data:image/png;base64,iVBORw0KGgo=')
 */
export function parseWalletIcon(icon: unknown): string | undefined {
  if (typeof icon !== 'string' || icon.length > longestIcon) return undefined
  // Leather names the type `svg`, which browsers don't draw.
  const named = icon.replace(/^data:image\/svg(?=[;,])/, '$&+xml')
  return /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(named) ? named : undefined
}
