import type { ProviderInfo } from './info.ts'

type Listener = (value: unknown) => void

/** The EIP-1193 provider that a page uses. */
export type PageProvider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on(event: string, listener: Listener): void
  removeListener(event: string, listener: Listener): void
}

/** The wallet behind a page provider. It may run in another process. */
export type Backend = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  subscribe(listener: (event: string, value: unknown) => void): unknown
}

/**
 * Creates the EIP-1193 provider of a wallet.
 *
 * @example const provider = createPageProvider(wallet)
 */
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
 * Announces a wallet in a page, immediately and on every request (EIP-6963).
 *
 * @param provider default: a new provider of this wallet
 * @returns a function that ends the announcements
 * @example announce(wallet, window)
 */
export function announce(
  wallet: Backend & { info: ProviderInfo },
  page: EventTarget,
  provider: PageProvider = createPageProvider(wallet),
): () => void {
  const detail = Object.freeze({ info: Object.freeze(wallet.info), provider })
  const announceProvider = (): void => void page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  page.addEventListener('eip6963:requestProvider', announceProvider)
  announceProvider()
  return () => page.removeEventListener('eip6963:requestProvider', announceProvider)
}

/** Options for injecting a wallet at `window.ethereum`. */
export type LegacyOptions = {
  /** Identification flags such as `isExampleWallet`. */
  flags?: readonly string[]
  /** True to dispatch `ethereum#initialized`, as late wallets do. Default: true. */
  announces?: boolean
}

/**
 * Injects a wallet at `window.ethereum`, as wallets without EIP-6963 do.
 *
 * @returns the injected provider
 * @example injectLegacy(wallet, window, { flags: ['isExampleWallet'] })
 */
export function injectLegacy(
  wallet: Backend,
  page: EventTarget,
  { flags = [], announces = true }: LegacyOptions = {},
): PageProvider {
  const provider = Object.assign(createPageProvider(wallet), Object.fromEntries(flags.map((flag) => [flag, true])))
  Object.defineProperty(page, 'ethereum', { value: provider, configurable: true, writable: true })
  if (announces) page.dispatchEvent(new Event('ethereum#initialized'))
  return provider
}
