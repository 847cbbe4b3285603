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
 * @param provider one of its own when left out
 * @returns what stops answering
 * @example announce(wallet, window)
 */
export function announce(
  wallet: Backend & { info: ProviderInfo },
  page: EventTarget,
  provider: PageProvider = createPageProvider(wallet),
): () => void {
  const detail = Object.freeze({ info: Object.freeze(wallet.info), provider })
  const tell = (): void => void page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  page.addEventListener('eip6963:requestProvider', tell)
  tell()
  return () => page.removeEventListener('eip6963:requestProvider', tell)
}

/** How a wallet is put at `window.ethereum`. */
export type LegacyOptions = {
  /** What it says of itself, such as `isExampleWallet`. */
  flags?: readonly string[]
  /** Whether it says that it came, as those do that come late; true when left out. */
  tells?: boolean
}

/**
 * Puts a wallet at `window.ethereum`, as those do that do not announce themselves.
 *
 * @returns its provider there
 * @example injectLegacy(wallet, window, { flags: ['isExampleWallet'] })
 */
export function injectLegacy(
  wallet: Backend,
  page: EventTarget,
  { flags = [], tells = true }: LegacyOptions = {},
): PageProvider {
  const provider = Object.assign(createPageProvider(wallet), Object.fromEntries(flags.map((flag) => [flag, true])))
  Object.defineProperty(page, 'ethereum', { value: provider, configurable: true, writable: true })
  if (tells) page.dispatchEvent(new Event('ethereum#initialized'))
  return provider
}
