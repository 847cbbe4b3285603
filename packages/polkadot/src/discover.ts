import {
  lazyConnector,
  systemClock,
  type Clock,
  type Connector,
  type DiscoveryListener,
  type Storage,
} from '@latchkey/core'
import type { Network } from '@latchkey/protocol'

/** An extension that was found in the page. Nothing of it is believed before it was checked. */
export type FoundExtension = { id: string; name: string; raw: object }

/** What is needed to talk to an extension once it is chosen. */
export type DiscoveryParts = {
  networks: readonly Network[]
  appName: string | undefined
  storage: Storage | undefined
  clock: Clock | undefined
}

/** When the page is looked at again, for extensions that inject themselves late. */
const lookMilliseconds = [300, 1_500] as const

/** What people call the extensions that name themselves otherwise. */
const names: Readonly<Record<string, string>> = {
  'polkadot-js': 'Polkadot.js',
  'subwallet-js': 'SubWallet',
  'fearless-wallet': 'Fearless Wallet',
  enkrypt: 'Enkrypt',
  polkagate: 'PolkaGate',
  talisman: 'Talisman',
}

/**
 * Finds the extensions in `injectedWeb3`, those there are and those that come later.
 *
 * @returns what stops looking
 */
export function discoverInjected(
  found: DiscoveryListener,
  page: EventTarget | undefined,
  parts: DiscoveryParts,
): () => void {
  if (page === undefined) return () => {}
  const known = new Set<string>()
  const look = (): void => {
    const injected: unknown = read(page, 'injectedWeb3')
    for (const key of isObject(injected) ? Object.keys(injected) : []) {
      const raw = read(injected, key)
      if (known.has(key) || !/^[\w.{}@ -]{1,60}$/.test(key) || !isObject(raw)) continue
      if (typeof read(raw, 'enable') !== 'function') continue
      known.add(key)
      const name = (Object.hasOwn(names, key) ? names[key] : undefined) ?? key
      found(connectorOf({ id: `polkadot:${key}`, name, raw }, parts))
    }
  }
  look()
  page.addEventListener('load', look)
  const { clock = systemClock } = parts
  const cancels = lookMilliseconds.map((milliseconds) => clock.after(milliseconds, look))
  return () => {
    page.removeEventListener('load', look)
    for (const cancel of cancels) cancel()
  }
}

/** The way to an extension that was found. How it is talked to is loaded when it is first asked. */
function connectorOf(extension: FoundExtension, parts: DiscoveryParts): Connector {
  const { id, name } = extension
  return lazyConnector({ id, name, type: 'injected', namespaces: ['polkadot'] }, async () => {
    const { injectedConnector } = await import('./injected.ts')
    return injectedConnector(extension, parts)
  })
}

/** Anybody can put anything into a page, getters that throw too. */
function read(value: unknown, key: string): unknown {
  try {
    return isObject(value) ? Reflect.get(value, key) : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
