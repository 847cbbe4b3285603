import type { Connector } from '@latchkey/core'
import type { WalletListEntry } from '@latchkey/protocol'

/** Where a wallet can be reached. */
export type Platform = 'mobile' | 'browser' | 'webapp' | 'desktop'

type Situation = { mobile: boolean; connectors: readonly Connector[] }

/**
 * Where a wallet of the list can be reached from here, the most likely first. A phone's wallet is opened on a phone and
 * scanned from elsewhere; a wallet that says nothing may still scan.
 */
export function platformsOf(
  wallet: WalletListEntry | undefined,
  { mobile, connectors }: Situation,
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

/** Whether a wallet lives in browsers only, and this one does not have it. */
export function isMissing(wallet: WalletListEntry | undefined, { mobile, connectors }: Situation): boolean {
  if (wallet === undefined || mobile || extensionOf(wallet, connectors) !== undefined) return false
  const { rdns, chrome_store, mobile_link, link_mode, webapp_link, desktop_link } = wallet
  const isElsewhere = [mobile_link, link_mode, webapp_link, desktop_link].some((link) => link !== undefined)
  return !isElsewhere && (rdns !== undefined || chrome_store !== undefined)
}

/** The wallet's extension in this browser. */
export function extensionOf({ rdns }: WalletListEntry, connectors: readonly Connector[]): Connector | undefined {
  return connectors.find((connector) => rdns !== undefined && connector.rdns === rdns)
}
