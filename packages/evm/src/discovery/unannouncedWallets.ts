import { systemClock, type Clock, type DiscoveryListener } from '@latchkey/core'
import type { Eip1193Provider } from '../injected/eip1193Provider.ts'
import { discoverSafe } from '../safe/discoverSafe.ts'
import type { SafeProvider } from '../safe/safeProvider.ts'
import { createLegacySearch } from './createLegacySearch.ts'

/** Selects the wallets that are offered although they don't announce themselves. */
export type UnannouncedOptions = {
  /** True to offer a wallet at `window.ethereum` that does not announce itself. */
  legacy: boolean
  /** Origins of Safes that may open the page; any if `undefined`. */
  safeOrigins: readonly string[] | undefined
  /** Receives the Safe that was found, to look up its transactions. */
  opened(safe: SafeProvider): void
}

export type UnannouncedSearch = {
  /** Looks again, given all announced wallets. */
  update(announced: readonly Eip1193Provider[]): void
  stop(): void
}

type SearchOptions = UnannouncedOptions & {
  found: DiscoveryListener
  lost(connectorId: string): void
  clock: Clock | undefined
}

/** Searches for the wallet at `window.ethereum` and for the Safe around the page. */
export function searchUnannouncedWallets(page: EventTarget, options: SearchOptions): UnannouncedSearch {
  const { found, lost, clock = systemClock, legacy, safeOrigins, opened } = options
  const searchLegacy = legacy ? createLegacySearch(page, { found, lost, clock }) : undefined
  const stop = discoverSafe(page, { found, clock, origins: safeOrigins, opened })
  return { update: (announced) => searchLegacy?.(announced), stop }
}
