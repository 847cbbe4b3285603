/** Schemes that would run code or show content of this page instead of opening a wallet. */
const forbidden = /^(javascript|data|vbscript|blob|file|about):/i

/**
 * Returns the link that opens a wallet with a pairing URI: `{link}wc?uri={encoded}`. A bare scheme is completed.
 *
 * @param link of the wallet list: `https://app.example/`, `example://` or `example:`
 * @returns `undefined` if the link does not open a wallet
 * @example walletLink('rainbow:', 'wc:…') // 'rainbow://wc?uri=wc%3A…'
 */
export function walletLink(link: string, uri: string): string | undefined {
  if (forbidden.test(link.trim())) return undefined
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):?(?:\/\/)?(.*)$/i.exec(link.trim()) ?? []
  if (scheme === undefined) return undefined
  const base = `${scheme}://${rest}`
  return `${base.endsWith('/') ? base : `${base}/`}wc?uri=${encodeURIComponent(uri)}`
}

/** True if a link is a web address, which may open in a tab. */
export function isWebLink(link: string): boolean {
  return /^https?:/i.test(link)
}
