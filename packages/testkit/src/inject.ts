import type { ProviderInfo } from './info.ts'
import { connectTo } from './pageBackend.ts'
import { announce, injectLegacy } from './pageProvider.ts'

/** How a wallet shows itself in a page. */
export type Appearance = {
  /** Milliseconds after a document began to load before it is there at all. */
  after: number
  /** Whether it announces itself (EIP-6963). */
  announces: boolean
  /** Its flags at `window.ethereum`; undefined when it is not there. */
  legacyFlags: readonly string[] | undefined
}

/**
 * The page's half of an installed extension: a provider that passes everything on to the wallet in the test's own
 * process, as an extension's page script does to its background.
 */
export function installInPage(bridgeName: string, eventName: string, info: ProviderInfo, appearance: Appearance): void {
  const { after, announces, legacyFlags } = appearance
  const wallet = { info, ...connectTo(bridgeName, eventName) }
  const appear = (): void => {
    const legacy = legacyFlags === undefined ? undefined : injectLegacy(wallet, window, { flags: legacyFlags })
    if (announces) announce(wallet, window, legacy)
  }
  if (after === 0) appear()
  else setTimeout(appear, after)
}
