import { scanPage } from '@latchkey/adapter-kit'
import type { Connector, DiscoveryListener } from '@latchkey/core'
import { lazyConnector } from '@latchkey/core/internal'
import { getField, isRecord } from '@latchkey/protocol'
import type { DiscoveryOptions, FoundExtension } from './foundExtension.ts'

/** The names of extensions that inject themselves under another name. */
const names: Readonly<Record<string, string>> = {
  'polkadot-js': 'Polkadot.js',
  'subwallet-js': 'SubWallet',
  'fearless-wallet': 'Fearless Wallet',
  enkrypt: 'Enkrypt',
  polkagate: 'PolkaGate',
  talisman: 'Talisman',
}

/**
 * Discovers the extensions in `injectedWeb3`, now and later.
 *
 * @returns a function that stops the discovery
 */
export function discoverExtensions(
  found: DiscoveryListener,
  page: EventTarget | undefined,
  options: DiscoveryOptions,
): () => void {
  if (page === undefined) return () => {}
  const known = new Set<string>()
  return scanPage(page, options.clock, () => {
    const injected = getField(page, 'injectedWeb3')
    for (const key of isRecord(injected) ? Object.keys(injected) : []) {
      const raw = getField(injected, key)
      if (known.has(key) || !/^[\w.{}@ -]{1,60}$/.test(key) || !isRecord(raw)) continue
      if (typeof getField(raw, 'enable') !== 'function') continue
      known.add(key)
      const name = (Object.hasOwn(names, key) ? names[key] : undefined) ?? key
      found(createFoundConnector({ id: `polkadot:${key}`, name, raw }, options))
    }
  })
}

/** Makes a connector that loads the code for its extension when it is first used. */
function createFoundConnector(extension: FoundExtension, options: DiscoveryOptions): Connector {
  const { id, name } = extension
  return lazyConnector({ id, name, type: 'injected', namespaces: ['polkadot'] }, async () => {
    const { extensionConnector } = await import('./extensionConnector.ts')
    return extensionConnector(extension, options)
  })
}
