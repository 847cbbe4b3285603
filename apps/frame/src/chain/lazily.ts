import { RpcError } from './rpcError.ts'

/**
 * Loads a part when it is first wanted. One that could not be loaded is tried again by whoever wants it next: a network
 * that was away for a moment must not be remembered as long as the page lives.
 *
 * @returns (later) throws RpcError -32603 when the part cannot be loaded
 * @example const openDesk = lazily(async () => (await import('./desk.ts')).createDesk(parts))
 */
export function lazily<part>(load: () => Promise<part>): () => Promise<part> {
  let loading: Promise<part> | undefined
  return () =>
    (loading ??= load().catch((cause: unknown) => {
      loading = undefined
      throw new RpcError(-32_603, 'A part of the wallet cannot be loaded. Try again.', { cause })
    }))
}
