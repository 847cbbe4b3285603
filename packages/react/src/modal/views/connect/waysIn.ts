import { isExcluded, type Connector, type Latchkey, type RecentWallet } from '@latchkey/core'

/** A wallet used before, with its connector when it is in this browser. */
export type RecentWay = RecentWallet & { connector: Connector | undefined }

/** What a visitor can choose from, each wallet in one group only. */
export type WaysIn = {
  /** The connector to phone wallets. */
  phone: Connector | undefined
  /** At most two, the last used first. */
  recent: readonly RecentWay[]
  installed: readonly Connector[]
  external: readonly Connector[]
  /** Whether there is a list of wallets that phones may have. */
  hasList: boolean
  /** How many wallets of the list there is room for. */
  recommended: number
}

/** How many wallets are recommended where nothing better is known [R9.2.2]. */
const recommendedCount = 4

/** Sorts what is known into the groups of the connect view. */
export function waysIn(latchkey: Latchkey, connectors: readonly Connector[], used: readonly RecentWallet[]): WaysIn {
  const { featuredWallets, server } = latchkey.settings
  const offered = connectors.filter((connector) => !isExcluded(latchkey, connector))
  const phone = offered.find(({ type }) => type === 'walletConnect')
  const recent = used
    .filter((wallet) => !isExcluded(latchkey, wallet))
    .map((wallet) => ({ ...wallet, connector: offered.find(({ id }) => id === wallet.id) }))
    .filter(({ connector }) => (connector === undefined ? phone !== undefined : connector !== phone))
  const fresh = offered.filter(({ id }) => !recent.some((wallet) => wallet.id === id))
  const installed = fresh.filter(({ type }) => type === 'injected')
  const hasList = phone !== undefined && server !== undefined
  return {
    phone,
    recent,
    installed,
    external: fresh.filter(({ type }) => type === 'external'),
    hasList,
    recommended: Math.max(0, recommendedCount - recent.length - installed.length - featuredWallets.length),
  }
}
