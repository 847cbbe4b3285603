import type { ProviderInfo } from './info.ts'

type Listener = (value: unknown) => void

/** What a page sees of a wallet (EIP-1193). */
export type PageProvider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on(event: string, listener: Listener): void
  removeListener(event: string, listener: Listener): void
}

/** The wallet behind the page, however far away it is. */
export type Backend = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  subscribe(listener: (event: string, value: unknown) => void): unknown
}

/** Makes the provider that is put into a page. */
export function createPageProvider(backend: Backend): PageProvider {
  const listeners = new Map<string, Set<Listener>>()
  backend.subscribe((event, value) => {
    for (const listener of listeners.get(event) ?? []) listener(value)
  })
  return {
    request: (args) => backend.request(args),
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener: (event, listener) => void listeners.get(event)?.delete(listener),
  }
}

/**
 * Announces a wallet in a page, now and whenever a page asks (EIP-6963).
 *
 * @returns what stops answering
 * @example announce(wallet, window)
 */
export function announce(wallet: Backend & { info: ProviderInfo }, page: EventTarget): () => void {
  const detail = Object.freeze({ info: Object.freeze(wallet.info), provider: createPageProvider(wallet) })
  const tell = (): void => void page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  page.addEventListener('eip6963:requestProvider', tell)
  tell()
  return () => page.removeEventListener('eip6963:requestProvider', tell)
}
