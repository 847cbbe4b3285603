import {
  listenForRegistrations,
  parseWalletIcon,
  parseWalletName,
  scanPage,
  tryOrUndefined,
} from '@latchkey/adapter-kit'
import type { Connector, DiscoveryListener } from '@latchkey/core'
import { lazyConnector } from '@latchkey/core/internal'
import { getField, isObject } from '@latchkey/protocol'
import type { DiscoveryOptions, FoundWallet, WalletKind } from './foundWallet.ts'

/** The objects that wallets inject: the path of the object, the name of the wallet, and its API. */
const injectedWallets: ReadonlyArray<readonly [path: string, name: string, kind: WalletKind]> = [
  ['LeatherProvider', 'Leather', 'leather'],
  // Some versions of Enkrypt are at `unisat` too, so Enkrypt comes first.
  ['enkrypt.providers.bitcoin', 'Enkrypt', 'unisat'],
  ['unisat', 'UniSat Wallet', 'unisat'],
  ['okxwallet.bitcoin', 'OKX Wallet', 'unisat'],
  ['bitkeep.unisat', 'Bitget Wallet', 'unisat'],
  ['binancew3w.bitcoin', 'Binance Wallet', 'unisat'],
]

type AddWallet = (raw: unknown, kind: WalletKind, name: unknown, icon?: unknown) => void

/**
 * Discovers the wallets of the page, now and later. A wallet with several APIs is found once, with the first API.
 *
 * @param lost receives the id of a wallet that unregistered itself
 * @returns a function that stops the discovery
 */
export function discoverBitcoinWallets(
  found: DiscoveryListener,
  lost: (connectorId: string) => void,
  page: EventTarget | undefined,
  options: DiscoveryOptions,
): () => void {
  if (page === undefined) return () => {}
  const known = new Map<unknown, readonly [id: string, unregister: AbortController]>()
  const kinds = new Map<string, WalletKind>()

  const add: AddWallet = (raw, kind, claimedName, icon) => {
    const name = parseWalletName(claimedName)
    if (!isObject(raw) || known.has(raw) || name === undefined) return
    const slug = toSlug(name)
    // The same wallet with another API is not added again. Two wallets with one name and API are both shown.
    if (slug === '' || (kinds.get(slug) ?? kind) !== kind) return
    kinds.set(slug, kind)
    const ids = [...known.values()].map(([id]) => id)
    let id = `bitcoin:${slug}`
    for (let count = 2; ids.includes(id); count += 1) id = `bitcoin:${slug}/${count}`
    const unregister = new AbortController()
    known.set(raw, [id, unregister])
    const wallet = { id, name, icon: parseWalletIcon(icon), kind, raw, unregistered: unregister.signal }
    found(createFoundConnector(wallet, options))
  }

  const stopListening = listenForRegistrations(page, {
    registered: (wallet) => addStandardWallet(wallet, add),
    unregistered(raw) {
      const [id, unregister] = known.get(raw) ?? []
      if (id === undefined) return
      known.delete(raw)
      unregister?.abort()
      lost(id)
    },
  })
  const stopScanning = scanPage(page, options.clock, () => addPageWallets(page, add))
  return () => {
    stopListening()
    stopScanning()
  }
}

/** Adds the wallets that sats-connect lists, where the id is the path of the provider, and the injected wallets. */
function addPageWallets(page: EventTarget, add: AddWallet): void {
  const getPath = (path: string): unknown => getField(page, ...path.split('.'))
  const listed = tryOrUndefined(() => Array.from(Object(getField(page, 'btc_providers')) as ArrayLike<unknown>)) ?? []
  for (const item of listed) {
    const id = getField(item, 'id')
    const raw = typeof id === 'string' ? getPath(id) : undefined
    const kind = id === 'LeatherProvider' ? 'leather' : 'sats'
    if (typeof getField(raw, 'request') === 'function') add(raw, kind, getField(item, 'name'), getField(item, 'icon'))
  }
  for (const [path, name, kind] of injectedWallets) add(getPath(path), kind, name)
}

/** Adds a wallet of the Wallet Standard, if it supports Bitcoin. */
function addStandardWallet(wallet: unknown, add: AddWallet): void {
  const hasFeature = (name: string): boolean => isObject(getField(wallet, 'features', `bitcoin:${name}`))
  if (hasFeature('connect') && hasFeature('signMessage')) {
    add(wallet, 'standard', getField(wallet, 'name'), getField(wallet, 'icon'))
  }
}

/** Makes a connector that loads the code for its wallet when it is first used. */
function createFoundConnector(wallet: FoundWallet, options: DiscoveryOptions): Connector {
  const { id, name, icon } = wallet
  return lazyConnector({ id, name, type: 'injected', icon, namespaces: ['bip122'] }, async () => {
    const { pageConnector } = await import('./pageConnector.ts')
    return pageConnector(wallet, options)
  })
}

function toSlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/ wallet$/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
}
