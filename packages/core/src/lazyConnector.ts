import type { Connector } from './connector.ts'

/**
 * A connector that is known before how its wallet is talked to: that is loaded when the wallet is first asked. A chunk
 * that could not be fetched is fetched again the next time.
 *
 * @param about what the list of wallets shows
 * @param load makes the connector that does the work
 * @example lazyConnector({ id, name, type: 'injected', namespaces }, async () => (await import('./wallet.ts')).connector(wallet))
 */
export function lazyConnector(
  about: Omit<Connector, 'connect' | 'restore' | 'disconnect'>,
  load: () => Promise<Connector>,
): Connector {
  let loading: Promise<Connector> | undefined
  const loaded = (): Promise<Connector> => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    ...about,
    connect: async (request) => (await loaded()).connect(request),
    restore: async (request) => (await loaded()).restore(request),
    disconnect: async () => (await loaded()).disconnect(),
  }
}
