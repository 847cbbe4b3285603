import type { Clock, DiscoveryListener } from '@latchkey/core'
import type { Eip1193Provider } from '../injected/eip1193Provider.ts'
import { discoverAnnouncedWallets } from './discoverAnnouncedWallets.ts'
import type { UnannouncedOptions, UnannouncedSearch } from './unannouncedWallets.ts'

/**
 * Discovers the wallets of a page: announced wallets, the wallet at `window.ethereum`, and the Safe that the page is
 * opened in. The code for the last two is loaded only if the page shows a sign of them.
 *
 * @param lost receives the id of a wallet that turned out to be an announced one
 * @returns a function that stops the discovery
 */
export function discoverEvmWallets(
  found: DiscoveryListener,
  lost: (connectorId: string) => void,
  page: EventTarget | undefined,
  clock: Clock | undefined,
  options: UnannouncedOptions,
): () => void {
  if (page === undefined) return () => {}
  const announced: Eip1193Provider[] = []
  let unannounced: UnannouncedSearch | undefined
  let isStopped = false
  const search = (): void => {
    import('./unannouncedWallets.ts').then(
      ({ searchUnannouncedWallets }) => {
        if (isStopped) return
        unannounced ??= searchUnannouncedWallets(page, { found, lost, clock, ...options })
        unannounced.update(announced)
      },
      // If the chunk can't be loaded, the announced wallets still work.
      () => undefined,
    )
  }
  const stopAnnounced = discoverAnnouncedWallets(found, page, clock, (provider) => {
    announced.push(provider)
    unannounced?.update(announced)
  })
  const parent: unknown = Reflect.get(page, 'parent')
  if ('ethereum' in page || (parent !== undefined && parent !== page)) search()
  page.addEventListener('ethereum#initialized', search)
  return () => {
    isStopped = true
    stopAnnounced()
    page.removeEventListener('ethereum#initialized', search)
    unannounced?.stop()
  }
}
