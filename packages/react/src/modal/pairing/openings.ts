import type { WalletListEntry } from '@latchkey/protocol'
import type { Environment } from './environment.ts'
import { isWebLink, walletLink } from './walletLink.ts'

/** A way to open a wallet with a pairing link, as an anchor of the page needs it. */
export type Opening = {
  href: string
  /** What of the wallet list it was made of, to open the wallet again for its next request. */
  link: string
  target: '_self' | '_top' | '_blank'
}

/** The links of a wallet on a phone, the universal one first: it opens the app, or tells where to get it. */
function appLinks({ link_mode: universal, mobile_link: mobile }: WalletListEntry): readonly string[] {
  return [universal, mobile].filter((link) => link !== undefined)
}

/** Where a wallet is to be opened. */
export type OpenPlatform = 'mobile' | 'webapp' | 'desktop'

/**
 * How a wallet can be opened from here, the first choice first; the next one is for who comes back without success.
 *
 * @param uri the pairing link, which has to be there before the visitor taps: what a tap does later is not his any more
 * @returns none when nothing here can open it
 */
export function openingsOf(
  wallet: WalletListEntry,
  platform: OpenPlatform,
  uri: string,
  environment: Environment,
): readonly Opening[] {
  const links = {
    mobile: () => appLinks(wallet),
    webapp: () => [wallet.webapp_link].filter((link) => link !== undefined),
    desktop: () => [wallet.desktop_link].filter((link) => link !== undefined),
  }[platform]()
  return links.flatMap((link) => {
    // Telegram's Android app decodes a link once before it hands it on.
    const isDecoded = environment.host === 'telegram' && environment.system === 'android'
    const href = walletLink(link, isDecoded ? encodeURIComponent(uri) : uri)
    // Telegram opens web addresses and nothing else.
    if (href === undefined || (environment.host === 'telegram' && !isWebLink(href))) return []
    return [{ href, link, target: targetOf(href, platform, environment) }]
  })
}

/** Whether a wallet that is not in this page can be reached from it at all. */
export function isOpenable(
  { link_mode, mobile_link, webapp_link }: WalletListEntry,
  { host, system }: Environment,
): boolean {
  if (host !== 'telegram' || system === 'desk') return true
  return [link_mode, mobile_link, webapp_link].some((link) => link !== undefined && isWebLink(link))
}

/** A wallet's web address opens a tab; an app's scheme leaves the page where it is, and needs the outermost window. */
function targetOf(href: string, platform: OpenPlatform, { host, isFramed }: Environment): Opening['target'] {
  if (host === 'telegram' || platform === 'webapp' || isWebLink(href)) return '_blank'
  return isFramed ? '_top' : '_self'
}
