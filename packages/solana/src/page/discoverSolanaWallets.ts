import { listenForRegistrations } from '@latchkey/adapter-kit'
import type { Clock, Connector, DiscoveryListener } from '@latchkey/core'
import { lazyConnector } from '@latchkey/core/internal'
import { parseStandardWallet, type StandardWallet } from './standardWallet.ts'

/** More wallets than any user has. A script that registers more wants to make the list useless. */
const mostWallets = 100

/**
 * Discovers the wallets that register themselves in the page (Wallet Standard), now and later.
 *
 * @param lost receives the id of a wallet that unregistered itself
 * @returns a function that stops the discovery
 */
export function discoverSolanaWallets(
  found: DiscoveryListener,
  lost: (connectorId: string) => void,
  page: EventTarget | undefined,
  clock: Clock | undefined,
): () => void {
  if (page === undefined) return () => {}
  const known = new Map<object, { id: string; unregister: AbortController }>()
  const counts = new Map<string, number>()
  let isStopped = false

  function add(registered: unknown): void {
    const wallet = isStopped ? undefined : parseStandardWallet(registered)
    if (wallet === undefined || known.has(wallet.wallet) || known.size >= mostWallets) return
    const count = (counts.get(wallet.name) ?? 0) + 1
    counts.set(wallet.name, count)
    // Two wallets with the same name are both listed, each with its own connector.
    const id = `solana/${wallet.name}${count === 1 ? '' : `/${count}`}`
    const unregister = new AbortController()
    known.set(wallet.wallet, { id, unregister })
    found(createRegisteredConnector(id, wallet, unregister.signal, clock))
  }

  function remove(registered: unknown): void {
    const wallet = known.get(Object(registered))
    if (wallet === undefined || isStopped) return
    known.delete(Object(registered))
    wallet.unregister.abort()
    lost(wallet.id)
  }

  const stopListening = listenForRegistrations(page, { registered: add, unregistered: remove })
  return () => {
    isStopped = true
    stopListening()
  }
}

/** Makes a connector that loads the code for its wallet when it is first used. */
function createRegisteredConnector(
  id: string,
  registered: StandardWallet,
  unregistered: AbortSignal,
  clock: Clock | undefined,
): Connector {
  const { name, icon } = registered
  return lazyConnector({ id, name, type: 'injected', icon, namespaces: ['solana'] }, async () => {
    const { standardConnector } = await import('./standardConnector.ts')
    return standardConnector(id, registered, unregistered, clock)
  })
}
