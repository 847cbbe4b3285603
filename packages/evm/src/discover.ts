import type { Clock, DiscoveryListener } from '@latchkey/core'
import type { Eip1193Provider } from './eip1193.ts'
import { discoverAnnounced } from './eip6963.ts'
import type { OtherWays, WaysOptions } from './otherWays.ts'

/**
 * Finds the wallets of a page: those that announce themselves, and where there are signs of them the one at
 * `window.ethereum` and the Safe that the page is opened in. What finds those two is loaded only then.
 *
 * @returns what stops looking
 */
export function discoverWallets(
  found: DiscoveryListener,
  lost: (connectorId: string) => void,
  page: EventTarget | undefined,
  clock: Clock | undefined,
  options: WaysOptions,
): () => void {
  if (page === undefined) return () => {}
  const announced: Eip1193Provider[] = []
  let others: OtherWays | undefined
  let stopped = false
  const look = (): void => {
    import('./otherWays.ts').then(
      ({ findOtherWays }) => {
        if (stopped) return
        others ??= findOtherWays(page, { found, lost, clock, ...options })
        others.look(announced)
      },
      // Without that chunk there are fewer ways in, and the others work.
      () => undefined,
    )
  }
  const stopAnnounced = discoverAnnounced(found, page, clock, (provider) => {
    announced.push(provider)
    others?.look(announced)
  })
  const parent: unknown = Reflect.get(page, 'parent')
  if ('ethereum' in page || (parent !== undefined && parent !== page)) look()
  page.addEventListener('ethereum#initialized', look)
  return () => {
    stopped = true
    stopAnnounced()
    page.removeEventListener('ethereum#initialized', look)
    others?.stop()
  }
}
