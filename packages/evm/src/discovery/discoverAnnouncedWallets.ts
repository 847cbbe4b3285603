import { parseWalletIcon, parseWalletName } from '@latchkey/adapter-kit'
import type { Clock, Connector, DiscoveryListener } from '@latchkey/core'
import { lazyConnector } from '@latchkey/core/internal'
import { getField, getStringField } from '@latchkey/protocol'
import { isEip1193Provider, type Eip1193Provider } from '../injected/eip1193Provider.ts'
import type { InjectedWallet } from '../injected/injectedConnector.ts'

type Announcement = { uuid: string; name: string; rdns: string; icon: string | undefined; provider: Eip1193Provider }

/** More wallets than any user has. A script that announces more wants to make the list useless. */
const mostWallets = 100

/**
 * Discovers the wallets that announce themselves in the page (EIP-6963), now and later.
 *
 * @param announced receives each announced provider before `found` receives its connector
 * @returns a function that stops the discovery
 */
export function discoverAnnouncedWallets(
  found: DiscoveryListener,
  page: EventTarget,
  clock: Clock | undefined,
  announced: (provider: Eip1193Provider) => void,
): () => void {
  const known = new Set<Eip1193Provider | string>()
  const counts = new Map<string, number>()
  const onAnnounce = (event: Event): void => {
    const announcement = parseAnnouncement(event)
    if (announcement === undefined || known.size >= 2 * mostWallets) return
    const { uuid, name, rdns, icon, provider } = announcement
    if (known.has(provider) || known.has(uuid)) return
    known.add(provider).add(uuid)
    const count = (counts.get(rdns) ?? 0) + 1
    counts.set(rdns, count)
    // Two wallets with the same name are both listed, each with its own connector.
    const id = count === 1 ? rdns : `${rdns}/${count}`
    announced(provider)
    found(announcedConnector({ id, name, icon, rdns, provider }, clock))
  }
  page.addEventListener('eip6963:announceProvider', onAnnounce)
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => page.removeEventListener('eip6963:announceProvider', onAnnounce)
}

/** Makes a connector that loads the code for its wallet when it is first used. */
function announcedConnector(wallet: InjectedWallet, clock: Clock | undefined): Connector {
  const { id, name, icon, rdns } = wallet
  const load = async (): Promise<Connector> => {
    const { injectedConnector } = await import('../injected/injectedConnector.ts')
    return injectedConnector(wallet, clock)
  }
  const watchUnlock: Connector['watchUnlock'] = async (unlocked) => (await load()).watchUnlock?.(unlocked)
  return lazyConnector({ id, name, type: 'injected', icon, rdns, namespaces: ['eip155'], watchUnlock }, load)
}

/** Parses an announcement. Any script can dispatch one, with getters that throw and endless strings. */
function parseAnnouncement(event: Event): Announcement | undefined {
  const detail = getField(event, 'detail')
  const provider = getField(detail, 'provider')
  const uuid = getStringField(detail, 'info', 'uuid')
  const rdns = getStringField(detail, 'info', 'rdns')
  // Letters that look alike are kept. Both wallets are listed, each with its own connector.
  const name = parseWalletName(getField(detail, 'info', 'name'))
  if (uuid === undefined || rdns === undefined || name === undefined || !isEip1193Provider(provider)) return undefined
  if (!/^[a-z0-9][a-z0-9.-]{0,200}$/i.test(rdns)) return undefined
  return { uuid, name, rdns, icon: parseWalletIcon(getField(detail, 'info', 'icon')), provider }
}
