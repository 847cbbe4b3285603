import type { Backend } from './pageProvider.ts'

/** What the test's side puts into the page before a wallet's script. Names carry the wallet's own id. */
type Bridge = (message: string) => Promise<string>

/** The wallet on the other end of the bridge, as an extension's page script sees its background. */
export function connectTo(bridgeName: string, eventName: string): Backend {
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
