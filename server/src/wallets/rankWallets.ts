import type { WalletListEntry } from '@latchkey/protocol'

export const walletPlatforms = ['android', 'ios', 'desktop'] as const

/** The device that shows a list of wallets. */
export type WalletPlatform = (typeof walletPlatforms)[number]

/** A wallet of the list, with the namespace that its makers name first. */
export type RankedWallet = { readonly entry: WalletListEntry; readonly mainNamespace: string }

type RankingContext = {
  /** Unknown devices don't change the order. */
  readonly platform: WalletPlatform | undefined
  /** The namespaces of the app; any if undefined. */
  readonly namespaces: readonly string[] | undefined
}

/** A wallet that was made for a chain of the app is listed this many places higher, which is one page. */
const placesForChain = 40

/**
 * Orders wallets: first those that the device can open, then by use, which is the given order. Wallets that were made for a
 * chain of the app move up. They don't simply come first, because hardly used ones would precede well-known wallets of several
 * chains.
 */
export function rankWallets(wallets: readonly RankedWallet[], situation: RankingContext): readonly RankedWallet[] {
  const ranked = wallets.map((wallet, place) => ({
    wallet,
    isReachable: isReachable(wallet.entry, situation.platform),
    place: place - (isMadeFor(wallet, situation.namespaces) ? placesForChain : 0),
  }))
  return ranked
    .toSorted((one, other) => Number(other.isReachable) - Number(one.isReachable) || one.place - other.place)
    .map(({ wallet }) => wallet)
}

function isReachable(entry: WalletListEntry, platform: WalletPlatform | undefined): boolean {
  const { mobile_link, link_mode, webapp_link, desktop_link, chrome_store, rdns } = entry
  const isSet = (...values: readonly (string | undefined)[]): boolean => values.some((value) => value !== undefined)
  if (platform === undefined) return true
  // A phone of the user scans the code of a page on a computer.
  if (platform === 'desktop') return isSet(rdns, chrome_store, desktop_link, webapp_link, mobile_link, link_mode)
  return isSet(mobile_link, link_mode, webapp_link)
}

function isMadeFor({ mainNamespace }: RankedWallet, namespaces: readonly string[] | undefined): boolean {
  return namespaces?.includes(mainNamespace) === true
}

/** Finds the device in a `User-Agent` header. */
export function platformOfUserAgent(userAgent: string | undefined): WalletPlatform | undefined {
  if (userAgent === undefined) return undefined
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios'
  return /windows|macintosh|x11|cros/i.test(userAgent) ? 'desktop' : undefined
}
