import { isLatchkeyError, type ErrorCode, type LatchkeyError } from '@latchkey/protocol'
import { isRecord } from '../parse.ts'
import type { Emitter } from './emitter.ts'
import type { RpcRequest } from './rpc.ts'
import type { UniversalEvents, UniversalProvider } from './universalProvider.ts'

/** What libraries that were written for extensions expect: failures with numbers (EIP-1193 §5). */
export type Eip1193Provider = Emitter<UniversalEvents> & {
  /** @throws ProviderRpcError 4001 when the visitor declined, 4900 without a session, and so on. */
  request(request: RpcRequest): Promise<unknown>
}

/** A failure in the words of EIP-1193; its `cause` is the `LatchkeyError`. */
export type ProviderRpcError = Error & { readonly code: number; readonly data: unknown }

/** The numbers of EIP-1193 and JSON-RPC 2.0; 4100 is what the visitor did not authorise. */
const numbers: { readonly [code in ErrorCode]?: number } = {
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

/** What JSON-RPC calls an internal error: nothing is known that a number could say. */
const internalError = -32_603

/**
 * Hands a provider to a library that expects the numbers of EIP-1193 where Latchkey has words.
 *
 * @example createWalletClient({ chain: mainnet, transport: custom(toEip1193(provider)) })
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
        throw numbered(error)
      }
    },
  }
}

function numbered(cause: unknown): unknown {
  if (!isLatchkeyError(cause)) return cause
  const data = isRecord(cause.cause) ? cause.cause.data : undefined
  return Object.assign(new Error(cause.message, { cause }), { code: numberOf(cause), data })
}

function numberOf(error: LatchkeyError): number {
  if (isLatchkeyError(error, 'request/failed') || isLatchkeyError(error, 'rpc/failed')) {
    return error.context.code ?? internalError
  }
  return numbers[error.code] ?? internalError
}
