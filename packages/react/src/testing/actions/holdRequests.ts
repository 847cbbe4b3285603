import type { FakeAdapter } from '@latchkey/core/fakes'

/** Holds back the requests to the wallet until they are released. */
export function holdRequests(adapter: FakeAdapter): { hold(): void; release(): void } {
  const waiting: (() => void)[] = []
  let isHolding = false
  const pass = (): Promise<void> | undefined =>
    isHolding ? new Promise((resolve) => void waiting.push(resolve)) : undefined
  const { signMessage, sendTransaction, switchNetwork } = adapter
  Object.assign(adapter, {
    signMessage: async (...args: Parameters<typeof signMessage>) => (await pass(), signMessage(...args)),
    sendTransaction: async (...args: Parameters<typeof sendTransaction>) => (await pass(), sendTransaction(...args)),
    switchNetwork: async (...args: Parameters<typeof switchNetwork>) => (await pass(), switchNetwork(...args)),
  })
  return {
    hold: () => void (isHolding = true),
    release() {
      isHolding = false
      for (const resume of waiting.splice(0)) resume()
    },
  }
}
