import { lazyConnector, type Clock, type Connector, type DiscoveryListener } from '@latchkey/core'
import type { Eip1193Provider } from './eip1193.ts'
import type { InjectedWallet } from './injected.ts'

/** An announcement that is what it should be. */
type Announcement = { uuid: string; name: string; rdns: string; icon: string | undefined; provider: Eip1193Provider }

/** Nobody has more wallets than this; who announces more wants the list to be useless. */
const mostWallets = 100
const nameLength = 60
/** A picture heavier than this is not a picture for a row. */
const iconLength = 200_000

/**
 * Finds the wallets that announce themselves in the page (EIP-6963), those there are and those that come later.
 *
 * @param heard is told each provider that was announced, before its connector is
 * @returns what stops looking
 */
export function discoverAnnounced(
  found: DiscoveryListener,
  page: EventTarget,
  clock: Clock | undefined,
  heard: (provider: Eip1193Provider) => void,
): () => void {
  const known = new Set<Eip1193Provider | string>()
  const taken = new Map<string, number>()
  const hear = (event: Event): void => {
    const announcement = readAnnouncement(event)
    if (announcement === undefined || known.size >= 2 * mostWallets) return
    const { uuid, name, rdns, icon, provider } = announcement
    if (known.has(provider) || known.has(uuid)) return
    known.add(provider).add(uuid)
    const count = (taken.get(rdns) ?? 0) + 1
    taken.set(rdns, count)
    // Two wallets may claim one name. Both are shown, and the one that is pressed is the one that opens.
    const id = count === 1 ? rdns : `${rdns}/${count}`
    heard(provider)
    found(connectorOf({ id, name, icon, rdns, provider }, clock))
  }
  page.addEventListener('eip6963:announceProvider', hear)
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => page.removeEventListener('eip6963:announceProvider', hear)
}

/** The way to a wallet of the page. How it is talked to is loaded when it is first asked. */
function connectorOf(wallet: InjectedWallet, clock: Clock | undefined): Connector {
  const { id, name, icon, rdns } = wallet
  return lazyConnector({ id, name, type: 'injected', icon, rdns, namespaces: ['eip155'] }, async () => {
    const { injectedConnector } = await import('./injected.ts')
    return injectedConnector(wallet, clock)
  })
}

/** Reads an announcement. Anybody can dispatch one, with getters that throw and texts without end. */
function readAnnouncement(event: Event): Announcement | undefined {
  try {
    const detail: unknown = Reflect.get(event, 'detail')
    const info = read(detail, 'info')
    const provider = read(detail, 'provider')
    const [uuid, name, rdns, icon] = ['uuid', 'name', 'rdns', 'icon'].map((key) => read(info, key))
    if (typeof uuid !== 'string' || typeof name !== 'string' || typeof rdns !== 'string') return undefined
    // Without what cannot be seen, such as marks that turn the direction of writing. Letters that look alike stay.
    const shown = name.replace(/\p{C}/gu, '').trim().slice(0, nameLength)
    if (uuid === '' || shown === '' || !/^[a-z0-9][a-z0-9.-]{0,200}$/i.test(rdns) || !isProvider(provider))
      return undefined
    return { uuid, name: shown, rdns, icon: isPicture(icon) ? icon : undefined, provider }
  } catch {
    return undefined
  }
}

function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function isProvider(value: unknown): value is Eip1193Provider {
  return typeof read(value, 'request') === 'function'
}

/** Only a data URI: any other address would be fetched, and tell somebody that the page was opened. */
function isPicture(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= iconLength &&
    /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(value)
  )
}
