import type { ProviderInfo } from './info.ts'
import { connectToBridge } from './connectToBridge.ts'
import { announce, injectLegacy } from './pageProvider.ts'

/** The appearance of a wallet in a page. */
export type Appearance = {
  /** The delay after the document starts loading, in milliseconds. */
  after: number
  /** True if the wallet announces itself (EIP-6963). */
  announces: boolean
  /** Its flags at `window.ethereum`. Undefined if it is not injected there. */
  legacyFlags: readonly string[] | undefined
}

/**
 * The page script of an installed extension: a provider that forwards every request to the wallet in the test process,
 * as a real page script does to its background script.
 */
export function installInPage(bridgeName: string, eventName: string, info: ProviderInfo, appearance: Appearance): void {
  const { after, announces, legacyFlags } = appearance
  const wallet = { info, ...connectToBridge(bridgeName, eventName) }
  const appear = (): void => {
    const legacy = legacyFlags === undefined ? undefined : injectLegacy(wallet, window, { flags: legacyFlags })
    if (announces) announce(wallet, window, legacy)
  }
  if (after === 0) appear()
  else setTimeout(appear, after)
}
