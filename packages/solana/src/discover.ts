import { lazyConnector, type Clock, type Connector, type DiscoveryListener } from '@latchkey/core'
import { readWallet, type StandardWallet } from './readWallet.ts'

/** Nobody has more wallets than this; who registers more wants the list to be useless. */
const mostWallets = 100

/**
 * Finds the wallets that register themselves in the page (Wallet Standard), those there are, those that come later, and
 * those that go again.
 *
 * @returns what stops looking
 */
export function discoverRegistered(
  found: DiscoveryListener,
  lost: (connectorId: string) => void,
  page: EventTarget | undefined,
  clock: Clock | undefined,
): () => void {
  if (page === undefined) return () => {}
  const known = new Map<object, { id: string; leaving: AbortController }>()
  const taken = new Map<string, number>()
  let stopped = false

  function add(registered: unknown): void {
    const wallet = stopped ? undefined : readWallet(registered)
    if (wallet === undefined || known.has(wallet.wallet) || known.size >= mostWallets) return
    const count = (taken.get(wallet.name) ?? 0) + 1
    taken.set(wallet.name, count)
    // Two wallets may claim one name. Both are shown, and the one that is pressed is the one that opens.
    const id = `solana/${wallet.name}${count === 1 ? '' : `/${count}`}`
    const leaving = new AbortController()
    known.set(wallet.wallet, { id, leaving })
    found(connectorOf(id, wallet, leaving.signal, clock))
  }

  function remove(registered: unknown): void {
    const wallet = known.get(Object(registered))
    if (wallet === undefined || stopped) return
    known.delete(Object(registered))
    wallet.leaving.abort()
    lost(wallet.id)
  }

  const api = Object.freeze({
    register(...wallets: readonly unknown[]): () => void {
      wallets.forEach(add)
      return () => wallets.forEach(remove)
    },
  })

  const hear = (event: Event): void => {
    try {
      const callback: unknown = Reflect.get(event, 'detail')
      if (typeof callback === 'function') callback(api)
    } catch {
      // A wallet that cannot register itself is not there.
    }
  }
  page.addEventListener('wallet-standard:register-wallet', hear)
  const ready = new Event('wallet-standard:app-ready')
  page.dispatchEvent(Object.assign(ready, { detail: api }))
  return () => {
    stopped = true
    page.removeEventListener('wallet-standard:register-wallet', hear)
  }
}

/** The way to a wallet of the page. How it is talked to is loaded when it is first asked. */
function connectorOf(
  id: string,
  registered: StandardWallet,
  leaving: AbortSignal,
  clock: Clock | undefined,
): Connector {
  const { name, icon } = registered
  return lazyConnector({ id, name, type: 'injected', icon, namespaces: ['solana'] }, async () => {
    const { standardConnector } = await import('./walletStandard.ts')
    return standardConnector(id, registered, leaving, clock)
  })
}
