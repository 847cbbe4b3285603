import type { ProviderInfo } from './info.ts'
import { connectTo } from './pageBackend.ts'
import { announce } from './pageProvider.ts'

/**
 * The page's half of an installed extension: a provider that passes everything on to the wallet in the test's own
 * process, as an extension's page script does to its background.
 */
export function installInPage(bridgeName: string, eventName: string, info: ProviderInfo, announceAfter: number): void {
  const wallet = { info, ...connectTo(bridgeName, eventName) }
  if (announceAfter === 0) announce(wallet, window)
  else setTimeout(() => announce(wallet, window), announceAfter)
}
