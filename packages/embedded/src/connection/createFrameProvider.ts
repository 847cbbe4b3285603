import type { LoginEvent, Provider } from '@latchkey/core'
import {
  classifyMethod,
  isLatchkeyError,
  parseChainId,
  type ChainId,
  type Namespace,
  walletError,
  LatchkeyError,
  requestError,
} from '@latchkey/protocol'
import type { Frame } from '../frame/frame.ts'
import { FrameRefusedError } from '../frame/pendingRequests.ts'

const readTimeoutMs = 30_000
const approvalTimeoutMs = 120_000

export type FrameProviderOptions = {
  readonly frame: Frame
  readonly namespace: Namespace
  readonly wallet: { readonly name: string }
  chainId(): ChainId
  /** Returns true once the connection has ended. */
  isOver(): boolean
  emit(news: LoginEvent): void
}

/**
 * Creates the provider of one namespace: read requests are forwarded, signing requests are shown, and unknown methods
 * are refused [R6.3].
 */
export function createFrameProvider({
  frame,
  namespace,
  wallet,
  chainId,
  isOver,
  emit,
}: FrameProviderOptions): Provider {
  return {
    async request({ method, params }) {
      const kind = classifyMethod(method)
      if (kind === 'unknown') {
        // The network is switched with `switchTo`. The user needs no notice about it.
        if (method !== 'wallet_switchEthereumChain') emit({ type: 'not-allowed', method })
        throw requestError('request/not-allowed', { method })
      }
      if (isOver()) throw walletError('wallet/unavailable', { wallet: wallet.name })
      if (method === 'eth_chainId') return hexChainId(chainId())
      const isUnsafe = kind === 'unsafe'
      const payload = { method, params: toWireValue(params), chainNamespace: namespace, chainId: chainId() }
      const timeoutMs = isUnsafe ? approvalTimeoutMs : readTimeoutMs
      try {
        const response = await frame.request('RPC_REQUEST', payload, { timeoutMs, needsApproval: isUnsafe })
        if (isUnsafe) emit({ type: 'approved', method })
        return response
      } catch (error) {
        throw toRequestError(error, method, isUnsafe)
      }
    },
  }
}

/** Pages pass amounts as bigint. The wire format is hexadecimal. */
function toWireValue(value: unknown): unknown {
  if (typeof value === 'bigint') return `0x${value.toString(16)}`
  if (Array.isArray(value)) return value.map(toWireValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toWireValue(each)]))
}

function toRequestError(error: unknown, method: string, isUnsafe: boolean): unknown {
  if (error instanceof FrameRefusedError) return fromRefusal(error, method)
  if (isLatchkeyError(error, 'embedded/timeout')) {
    // The frame may still execute it.
    if (isUnsafe) return requestError('request/unknown', { method }, { cause: error })
    return requestError('request/failed', { method, code: undefined, reason: error.message }, { cause: error })
  }
  if (isLatchkeyError(error, 'request/rejected')) {
    return new LatchkeyError('request/rejected', { method }, { sentence: error.message })
  }
  return error
}

/** Converts the frame's refusal to this project's error codes [R8.3.7]. */
function fromRefusal(error: FrameRefusedError, method: string): LatchkeyError {
  const { message: reason, refusal: code } = error
  if (isRejection(error)) return requestError('request/rejected', { method }, { cause: error })
  if (/is not allowed/i.test(reason)) return requestError('request/not-allowed', { method }, { cause: error })
  return requestError('request/failed', { method, code, reason }, { cause: error })
}

/** True if the user rejected the request. */
export function isRejection({ message, refusal }: FrameRefusedError): boolean {
  return refusal === 4001 || /user (rejected|denied)|connection request reset/i.test(message)
}

/** Formats a chain id as `eth_chainId` returns it. */
function hexChainId(chainId: ChainId): string {
  return `0x${BigInt(parseChainId(chainId).reference).toString(16)}`
}
