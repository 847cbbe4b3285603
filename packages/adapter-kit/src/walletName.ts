const maxNameLength = 60
/** Longer data URIs are too heavy for a row of the wallet list. */
const maxIconLength = 200_000

/**
 * Cleans the self-chosen name of a wallet or an account. Invisible characters are removed, because some of them reverse the
 * direction of the surrounding text and can disguise a name.
 *
 * @returns at most 60 characters, or `undefined` if nothing visible remains
 * @example parseWalletName('Example\u202e Wallet') // 'Example Wallet'
 */
export function parseWalletName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const visible = name.replace(/\p{C}/gu, '').trim().slice(0, maxNameLength)
  return visible === '' ? undefined : visible
}

/**
 * Accepts a wallet's icon only as a data URI. A remote URL would reveal the visit to its server.
 *
 * @returns the icon, or `undefined` if it is not an image or too large
 * @example
 * parseWalletIcon('data:image/png;base64,iVBORw0KGgo=') // the same text
 * parseWalletIcon('https://wallet.example/icon.png') // undefined
 */
export function parseWalletIcon(icon: unknown): string | undefined {
  if (typeof icon !== 'string' || icon.length > maxIconLength) return undefined
  // Leather names the type `svg`, which browsers don't draw.
  const normalized = icon.replace(/^data:image\/svg(?=[;,])/, '$&+xml')
  return /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(normalized) ? normalized : undefined
}
