import { RpcError } from './rpcError.ts'

/**
 * Loads a module on first use. A failed download is repeated by the next call, because the network may be back by then.
 *
 * @returns a function that loads the module once. It throws RpcError -32603 if the download fails.
 * @example const loadScreens = loadOnce(async () => (await
 *   import('./userScreens.ts')).createUserScreens(options))
 */
export function loadOnce<part>(load: () => Promise<part>): () => Promise<part> {
  let loading: Promise<part> | undefined
  return () =>
    (loading ??= load().catch((cause: unknown) => {
      loading = undefined
      throw new RpcError(-32_603, 'The wallet could not be loaded completely. Try again.', { cause })
    }))
}
