import { parseRedirect, type Redirect } from '../../session/redirect.ts'

export type { Redirect } from '../../session/redirect.ts'

/** The operating system of the phone that opens a link. */
export type PhoneSystem = 'ios' | 'android'

/**
 * Returns the link that opens a wallet with a pairing URI (EIP-1328): `{base}/wc?uri={encoded}`. iOS gets the universal
 * link first, because it asks before it opens a scheme and reports an error if no app has it. Android gets the scheme
 * first, because it may open a web address in the browser even if the app is installed. Without links, Android offers all
 * apps that accept pairing URIs. iOS would open any of them, so it gets no link.
 *
 * @param links the wallet's links; unsafe ones are ignored
 * @param uri a pairing URI: `wc:…`
 * @returns `undefined` if no link opens an app reliably
 * @example walletLink({ native: 'wallet://' }, 'wc:…', 'ios') // 'wallet://wc?uri=wc%3A…'
 */
export function walletLink(links: Redirect, uri: string, system: PhoneSystem): string | undefined {
  const link = formatAppLink(links, `wc?uri=${encodeURIComponent(uri)}`, system)
  return link ?? (system === 'android' ? uri : undefined)
}

/** Returns the link that shows a request in its wallet. */
export function formatRequestLink(
  links: Redirect,
  { id, topic }: { id: number; topic: string },
  system: PhoneSystem,
): string | undefined {
  return formatAppLink(links, `wc?requestId=${id}&sessionTopic=${topic}`, system)
}

function formatAppLink(links: Redirect, path: string, system: PhoneSystem): string | undefined {
  const { native, universal } = parseRedirect(links)
  const base = system === 'ios' ? (universal ?? native) : (native ?? universal)
  if (base === undefined) return undefined
  // `wallet:` means `wallet://`.
  const prefix = base.replace(/:\/*$/, '://')
  return `${prefix}${prefix.endsWith('/') ? '' : '/'}${path}`
}
