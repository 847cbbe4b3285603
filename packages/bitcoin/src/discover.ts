import { lazyConnector, systemClock, type Clock, type Connector, type DiscoveryListener } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import type { WalletKind } from './pageWallet.ts'

/** A wallet that was found in the page, by the name it goes by. Nothing of it is believed before it was checked. */
export type FoundWallet = { id: string; name: string; icon?: string; kind: WalletKind; raw: object; parting: Parting }

/** What a wallet that leaves the page does to who talks to it. */
export type Parting = { tell(): void }

/** What is needed to talk to a wallet once it is chosen. */
export type DiscoveryParts = { networks: readonly Network[]; clock: Clock | undefined }

const nameLength = 60
/** A picture heavier than this is not a picture for a row. */
const iconLength = 200_000
/** When the page is looked at again, for wallets that inject themselves late. */
const lookMilliseconds = [300, 1_500] as const

/** Objects that wallets inject: where, what people call the wallet, and whose words it speaks. */
const injected: ReadonlyArray<readonly [path: string, name: string, kind: WalletKind]> = [
  ['LeatherProvider', 'Leather', 'leather'],
  ['unisat', 'UniSat Wallet', 'unisat'],
  ['okxwallet.bitcoin', 'OKX Wallet', 'unisat'],
  ['bitkeep.unisat', 'Bitget Wallet', 'unisat'],
  ['binancew3w.bitcoin', 'Binance Wallet', 'unisat'],
]

/**
 * Finds the wallets of the page, those there are and those that come later. A wallet that can be reached in several
 * ways is found once: in the way that it was first met.
 *
 * @param lost is told the id of a wallet that took its registration back
 * @returns what stops looking
 */
export function discoverWallets(
  found: DiscoveryListener,
  lost: (connectorId: string) => void,
  page: EventTarget | undefined,
  parts: DiscoveryParts,
): () => void {
  if (page === undefined) return () => {}
  const known = new Map<object, { id: string; parting: Parting }>()
  const taken = new Map<string, WalletKind>()

  function take(raw: unknown, kind: WalletKind, names: { name: unknown; icon?: unknown }): void {
    if (!isObject(raw) || known.has(raw) || typeof names.name !== 'string') return
    const name = names.name.trim().slice(0, nameLength)
    const slug = name
      .toLowerCase()
      .replace(/ wallet$/, '')
      .replaceAll(/[^a-z0-9]+/g, '-')
    if (slug === '') return
    // The same wallet in other words. Two of one kind that claim one name are both shown: the one pressed opens.
    if ((taken.get(slug) ?? kind) !== kind) return
    taken.set(slug, kind)
    const ids = [...known.values()].map((each) => each.id)
    const parting: Parting = { tell() {} }
    let id = `bitcoin:${slug}`
    for (let count = 2; ids.includes(id); count += 1) id = `bitcoin:${slug}/${count}`
    known.set(raw, { id, parting })
    found(connectorOf({ id, name, icon: isPicture(names.icon) ? names.icon : undefined, kind, raw, parting }, parts))
  }

  function forget(raw: unknown): void {
    const gone = isObject(raw) ? known.get(raw) : undefined
    if (!isObject(raw) || gone === undefined) return
    known.delete(raw)
    gone.parting.tell()
    lost(gone.id)
  }

  const look = (): void => {
    const listed = attempt(() => Array.from(Object(read(page, 'btc_providers')) as ArrayLike<unknown>)) ?? []
    for (const item of listed) attempt(() => takeListed(page, item, take))
    for (const [path, name, kind] of injected) attempt(() => take(follow(page, path), kind, { name }))
  }
  look()
  const stopHearing = hearRegistrations(page, (wallet) => attempt(() => takeStandard(wallet, take)), forget)
  page.addEventListener('load', look)
  const { clock = systemClock } = parts
  const cancels = lookMilliseconds.map((milliseconds) => clock.after(milliseconds, look))
  return () => {
    stopHearing()
    page.removeEventListener('load', look)
    for (const cancel of cancels) cancel()
  }
}

type Take = (raw: unknown, kind: WalletKind, names: { name: unknown; icon?: unknown }) => void

/** A wallet of the list that sats-connect keeps: the id is where its provider is. */
function takeListed(page: EventTarget, item: unknown, take: Take): void {
  const [id, name, icon] = ['id', 'name', 'icon'].map((key) => read(item, key))
  if (typeof id !== 'string') return
  const provider = follow(page, id)
  if (typeof read(provider, 'request') !== 'function') return
  take(provider, id === 'LeatherProvider' ? 'leather' : 'sats', { name, icon })
}

/** A wallet of the Wallet Standard that knows Bitcoin. */
function takeStandard(wallet: unknown, take: Take): void {
  const features = read(wallet, 'features')
  const isOurs = isObject(read(features, 'bitcoin:connect')) && isObject(read(features, 'bitcoin:signMessage'))
  if (isOurs) take(wallet, 'standard', { name: read(wallet, 'name'), icon: read(wallet, 'icon') })
}

/** Hears what registers itself by the Wallet Standard, now and later. */
function hearRegistrations(
  page: EventTarget,
  heard: (wallet: unknown) => void,
  forget: (wallet: unknown) => void,
): () => void {
  const api = Object.freeze({
    register(...wallets: readonly unknown[]) {
      for (const wallet of wallets) heard(wallet)
      return () => wallets.forEach(forget)
    },
  })
  const hear = (event: Event): void => {
    const callback = attempt(() => read(event, 'detail'))
    if (typeof callback === 'function') attempt(() => callback(api))
  }
  page.addEventListener('wallet-standard:register-wallet', hear)
  page.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  return () => page.removeEventListener('wallet-standard:register-wallet', hear)
}

/** The way to a wallet that was found. How it is talked to is loaded when it is first asked. */
function connectorOf(wallet: FoundWallet, parts: DiscoveryParts): Connector {
  const { id, name, icon } = wallet
  return lazyConnector({ id, name, type: 'injected', icon, namespaces: ['bip122'] }, async () => {
    const { pageConnector } = await import('./pageConnector.ts')
    return pageConnector(wallet, parts)
  })
}

/** Anybody can put anything into a page, getters that throw too. */
function attempt<result>(act: () => result): result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

function follow(root: unknown, path: string): unknown {
  return path.split('.').reduce(read, root)
}

function read(value: unknown, key: string): unknown {
  return isObject(value) ? Reflect.get(value, key) : undefined
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** Only a data URI: any other address would be fetched, and tell somebody that the page was opened. */
function isPicture(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= iconLength &&
    /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(value)
  )
}
