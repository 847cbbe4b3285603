import type { ProviderInfo } from './info.ts'
import { announce, type Backend } from './pageProvider.ts'

/** What the test's side puts into the page before this script. Names carry the wallet's own id. */
type Bridge = (message: string) => Promise<string>

/**
 * The page's half of an installed extension: a provider that passes everything on to the wallet in the test's own
 * process, as an extension's page script does to its background.
 */
export function installInPage(info: ProviderInfo, bridgeName: string, eventName: string, announceAfter: number): void {
  const wallet = { info, ...connectTo(bridgeName, eventName) }
  if (announceAfter === 0) announce(wallet, window)
  else setTimeout(() => announce(wallet, window), announceAfter)
}

function connectTo(bridgeName: string, eventName: string): Backend {
  const bridge = Reflect.get(globalThis, bridgeName) as Bridge
  return {
    async request(args) {
      const answer: unknown = JSON.parse(await bridge(JSON.stringify(args)))
      if (typeof answer !== 'object' || answer === null) throw new Error('The wallet gave no answer.')
      if (!('error' in answer)) return Reflect.get(answer, 'result')
      throw Object.assign(new Error(), answer.error)
    },
    subscribe(listener) {
      addEventListener(eventName, (event) => {
        if (event instanceof CustomEvent) listener(event.detail.event, event.detail.value)
      })
    },
  }
}
