import type { Backend } from './pageProvider.ts'

/** The function that the test exposes in the page. Its name contains the wallet's id. */
type Bridge = (message: string) => Promise<string>

/** Connects to the wallet at the other end of the bridge. */
export function connectToBridge(bridgeName: string, eventName: string): Backend {
  const bridge = Reflect.get(globalThis, bridgeName) as Bridge
  return {
    async request(args) {
      const response: unknown = JSON.parse(await bridge(JSON.stringify(args)))
      if (typeof response !== 'object' || response === null) throw new Error('The wallet gave no response.')
      if (!('error' in response)) return Reflect.get(response, 'result')
      throw Object.assign(new Error(), response.error)
    },
    subscribe(listener) {
      addEventListener(eventName, (event) => {
        if (event instanceof CustomEvent) listener(event.detail.event, event.detail.value)
      })
    },
  }
}
