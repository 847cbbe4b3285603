import type { Backend } from '../page/pageProvider.ts'

/** A Polkadot extension as its page interface needs it. */
export type PolkadotPageExtension = Backend & { readonly info: { name: string; version: string } }

/**
 * Injects an extension into a page's `injectedWeb3`.
 *
 * @returns a function that removes it
 * @example const remove = putInjectedWeb3(extension, window)
 */
export function putInjectedWeb3(extension: PolkadotPageExtension, page: object): () => void {
  const { name, version } = extension.info
  const request = async (method: string, params?: unknown): Promise<unknown> => extension.request({ method, params })
  const subscribers = new Set<(accounts: unknown) => void>()
  extension.subscribe((event, value) => {
    if (event === 'accounts') for (const subscriber of subscribers) subscriber(value)
  })

  const injected = Object.freeze({
    name,
    version,
    accounts: {
      get: async () => request('accounts'),
      subscribe(subscriber: (accounts: unknown) => void) {
        subscribers.add(subscriber)
        void request('accounts').then((accounts) => subscribers.has(subscriber) && subscriber(accounts))
        return () => void subscribers.delete(subscriber)
      },
    },
    signer: {
      signRaw: async (raw: unknown) => request('signRaw', raw),
      signPayload: async (payload: unknown) => request('signPayload', payload),
    },
  })
  const entry = {
    version,
    async enable(origin: string) {
      await request('enable', { origin })
      return injected
    },
  }
  const others = Object(Reflect.get(page, 'injectedWeb3') ?? {}) as object
  Reflect.set(page, 'injectedWeb3', { ...others, [name]: entry })
  return () => void Reflect.deleteProperty(Object(Reflect.get(page, 'injectedWeb3')), name)
}
