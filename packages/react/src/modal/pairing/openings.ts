import type { WalletListEntry } from '@latchkey/protocol'
import type { Environment } from './environment.ts'
import { isWebLink, walletLink } from './walletLink.ts'

/** A link that opens a wallet with a pairing URI, with the attributes of an anchor. */
export type WalletOpening = {
  href: string
  /** The link of the wallet list, to open the wallet again for later requests. */
  link: string
  target: '_self' | '_top' | '_blank'
}

/** Returns the links of a wallet app. The universal link comes first: it opens the app, or a page that offers it. */
function appLinks({ link_mode: universal, mobile_link: mobile }: WalletListEntry): readonly string[] {
  return [universal, mobile].filter((link) => link !== undefined)
}

/** The platform of the wallet that is opened. */
export type OpenPlatform = 'mobile' | 'webapp' | 'desktop'

/**
 * Returns the links that open a wallet from this page, in order of preference. The next one is used after a failed attempt.
 *
 * @param uri the pairing URI. It must exist before the tap, because a later navigation has no user activation
 * @returns an empty list if the wallet cannot be opened
 */
export function openingsOf(
  wallet: WalletListEntry,
  platform: OpenPlatform,
  uri: string,
  environment: Environment,
): readonly WalletOpening[] {
  const links = {
    mobile: () => appLinks(wallet),
    webapp: () => [wallet.webapp_link].filter((link) => link !== undefined),
    desktop: () => [wallet.desktop_link].filter((link) => link !== undefined),
  }[platform]()
  return links.flatMap((link) => {
    // Telegram for Android decodes a link once before it opens it.
    const isDecoded = environment.host === 'telegram' && environment.system === 'android'
    const href = walletLink(link, isDecoded ? encodeURIComponent(uri) : uri)
    // Telegram opens web addresses only.
    if (href === undefined || (environment.host === 'telegram' && !isWebLink(href))) return []
    return [{ href, link, target: targetOf(href, platform, environment) }]
  })
}

/** True if a wallet outside of this page can be opened from it. */
export function isOpenable(
  { link_mode, mobile_link, webapp_link }: WalletListEntry,
  { host, system }: Environment,
): boolean {
  if (host !== 'telegram' || system === 'desk') return true
  return [link_mode, mobile_link, webapp_link].some((link) => link !== undefined && isWebLink(link))
}

/** Web addresses open a tab. App schemes keep the page, and must be opened in the top window. */
function targetOf(href: string, platform: OpenPlatform, { host, isFramed }: Environment): WalletOpening['target'] {
  if (host === 'telegram' || platform === 'webapp' || isWebLink(href)) return '_blank'
  return isFramed ? '_top' : '_self'
}
