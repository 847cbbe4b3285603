import { systemClock, type Clock, type DiscoveryListener } from '@latchkey/core'
import type { Eip1193Provider } from './eip1193.ts'
import { createLegacySearch } from './legacy.ts'
import type { SafeProvider } from './safe/safeProvider.ts'
import { searchSafe } from './safe/searchSafe.ts'

/** Which of the ways in that are not announced are offered. */
export type WaysOptions = {
  /** Whether a wallet at `window.ethereum` that does not announce itself is offered. */
  legacy: boolean
  /** Origins of Safes that the page may be opened in; any when undefined. */
  safeOrigins: readonly string[] | undefined
  /** Is told the Safe that was found, to look its transactions up. */
  opened(safe: SafeProvider): void
}

export type OtherWays = {
  /** Looks again, knowing all that was announced. */
  look(announced: readonly Eip1193Provider[]): void
  stop(): void
}

type Search = WaysOptions & { found: DiscoveryListener; lost(connectorId: string): void; clock: Clock | undefined }

/** Finds the wallet at `window.ethereum` and the Safe around the page. */
export function findOtherWays(page: EventTarget, search: Search): OtherWays {
  const { found, lost, clock = systemClock, legacy, safeOrigins, opened } = search
  const looking = legacy ? createLegacySearch(page, { found, lost, clock }) : undefined
  const stopSafe = searchSafe(page, { found, clock, origins: safeOrigins, opened })
  return { look: (announced) => looking?.(announced), stop: stopSafe }
}
