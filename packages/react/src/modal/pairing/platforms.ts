import type { Connector } from '@latchkey/core'
import type { WalletListEntry } from '@latchkey/protocol'

/** The platform of a wallet. */
export type Platform = 'mobile' | 'browser' | 'webapp' | 'desktop'

type PageContext = { mobile: boolean; connectors: readonly Connector[] }

/**
 * Returns the platforms of a listed wallet that can be reached from here, the most likely first. Mobile wallets are opened
 * on a phone and scan a QR code elsewhere. Wallets without links can still scan a code.
 */
export function platformsOf(
  wallet: WalletListEntry | undefined,
  { mobile, connectors }: PageContext,
): [Platform, ...Platform[]] {
  if (wallet === undefined) return ['mobile']
  const here: Platform[] = []
  if (wallet.mobile_link !== undefined || wallet.link_mode !== undefined) here.push('mobile')
  if (extensionOf(wallet, connectors) !== undefined) here.push('browser')
  if (wallet.webapp_link !== undefined) here.push('webapp')
  if (wallet.desktop_link !== undefined && !mobile) here.push('desktop')
  const [first = 'mobile', ...rest] = here
  return [first, ...rest]
}

/** True if a wallet exists as a browser extension only, and it is not installed. */
export function isMissing(wallet: WalletListEntry | undefined, { mobile, connectors }: PageContext): boolean {
  if (wallet === undefined || mobile || extensionOf(wallet, connectors) !== undefined) return false
  const { rdns, chrome_store, mobile_link, link_mode, webapp_link, desktop_link } = wallet
  const isElsewhere = [mobile_link, link_mode, webapp_link, desktop_link].some((link) => link !== undefined)
  return !isElsewhere && (rdns !== undefined || chrome_store !== undefined)
}

/** Finds the connector of a wallet's extension. */
export function extensionOf({ rdns }: WalletListEntry, connectors: readonly Connector[]): Connector | undefined {
  return connectors.find((connector) => rdns !== undefined && connector.rdns === rdns)
}
