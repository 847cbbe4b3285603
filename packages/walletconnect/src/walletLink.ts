import { readRedirect, type Redirect } from './redirect.ts'

export type { Redirect } from './redirect.ts'

/** What kind of phone follows the link. */
export type PhoneSystem = 'ios' | 'android'

/**
 * The link that opens a wallet with a pairing link (EIP-1328): `{base}/wc?uri={encoded}`. iOS gets the universal link
 * first, because it asks before it follows a scheme and complains where no app has it; Android the scheme, because it
 * may open a web address in the browser though the app is there. Without links, Android offers all apps that take
 * pairing links; iOS would open any of them, so that it gets none.
 *
 * @returns nothing where no link can be trusted to open an app.
 * @example walletLink({ native: 'wallet://' }, 'wc:…', 'ios') // 'wallet://wc?uri=wc%3A…'
 */
export function walletLink(links: Redirect, uri: string, system: PhoneSystem): string | undefined {
  const link = linkTo(links, `wc?uri=${encodeURIComponent(uri)}`, system)
  return link ?? (system === 'android' ? uri : undefined)
}

/** The link that shows a request in the wallet that has it. */
export function requestLink(
  links: Redirect,
  { id, topic }: { id: number; topic: string },
  system: PhoneSystem,
): string | undefined {
  return linkTo(links, `wc?requestId=${id}&sessionTopic=${topic}`, system)
}

function linkTo(links: Redirect, path: string, system: PhoneSystem): string | undefined {
  const { native, universal } = readRedirect(links)
  const base = system === 'ios' ? (universal ?? native) : (native ?? universal)
  if (base === undefined) return undefined
  // `wallet:` stands for `wallet://`.
  const whole = base.replace(/:\/*$/, '://')
  return `${whole}${whole.endsWith('/') ? '' : '/'}${path}`
}
