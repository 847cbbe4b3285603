import { toProviderRpcError } from '@latchkey/core/internal'
import type { Emitter } from './emitter.ts'
import type { RpcRequest } from './rpcClient.ts'
import type { UniversalEvents, UniversalProvider } from './universalProvider.ts'

/** The provider that libraries for extensions expect: errors have numbers (EIP-1193 §5). */
export type Eip1193Provider = Emitter<UniversalEvents> & {
  /** @throws ProviderRpcError 4001 if the user declined, 4900 without a session, and so on */
  request(request: RpcRequest): Promise<unknown>
}

/**
 * Wraps a provider for a library that expects the error numbers of EIP-1193.
 *
 * @param provider a universal provider
 * @returns a provider that throws `ProviderRpcError`
 * @example createWalletClient({ chain: mainnet, transport: custom(toEip1193(universalProvider)) })
 */
export function toEip1193(provider: Pick<UniversalProvider, keyof Eip1193Provider>): Eip1193Provider {
  const { on, once, off, removeListener } = provider
  return {
    on,
    once,
    off,
    removeListener,
    async request(request) {
      try {
        return await provider.request(request)
      } catch (error) {
        throw toProviderRpcError(error)
      }
    },
  }
}
