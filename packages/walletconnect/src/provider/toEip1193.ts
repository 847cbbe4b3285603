import { isLatchkeyError, type ErrorCode, type LatchkeyError } from '@latchkey/protocol'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'
import type { Emitter } from './emitter.ts'
import type { RpcRequest } from './rpcClient.ts'
import type { UniversalEvents, UniversalProvider } from './universalProvider.ts'

/** The provider that libraries for extensions expect: errors have numbers (EIP-1193 §5). */
export type Eip1193Provider = Emitter<UniversalEvents> & {
  /** @throws ProviderRpcError 4001 if the user declined, 4900 without a session, and so on */
  request(request: RpcRequest): Promise<unknown>
}

/** An error of EIP-1193. Its `cause` is the `LatchkeyError`. */
export type ProviderRpcError = Error & { readonly code: number; readonly data: unknown }

/** The numbers of EIP-1193 and JSON-RPC 2.0. 4100 means that the user did not authorise the request. */
const errorNumbers: { readonly [code in ErrorCode]?: number } = {
  'caip/invalid': -32_602,
  'client/closed': 4900,
  'connection/not-connected': 4900,
  'namespace/not-configured': 4100,
  'network/not-found': 4901,
  'network/unsupported': 4901,
  'relay/refused': 4900,
  'relay/unreachable': 4900,
  'request/rejected': 4001,
  'session/ended': 4900,
  'session/not-found': 4900,
}

/** JSON-RPC 2.0: internal error, for errors without a number. */
const internalError = -32_603

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

function toProviderRpcError(cause: unknown): unknown {
  if (!isLatchkeyError(cause)) return cause
  const data = isUnknownRecord(cause.cause) ? cause.cause.data : undefined
  return Object.assign(new Error(cause.message, { cause }), { code: errorNumber(cause), data })
}

function errorNumber(error: LatchkeyError): number {
  if (isLatchkeyError(error, 'request/failed') || isLatchkeyError(error, 'rpc/failed')) {
    return error.context.code ?? internalError
  }
  return errorNumbers[error.code] ?? internalError
}
