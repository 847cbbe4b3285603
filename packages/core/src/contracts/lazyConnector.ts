import type { Connector } from './connector.ts'

/**
 * Creates a connector whose code is loaded with the first request. A chunk that failed to load is loaded again by the
 * next request.
 *
 * @param about the details that the wallet list shows
 * @param load creates the connector that does the work
 * @example
 * const about = { id: 'example', name: 'Example', type: 'injected', namespaces: ['eip155'] } as const
 * lazyConnector(about, async () => loadConnector())
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
