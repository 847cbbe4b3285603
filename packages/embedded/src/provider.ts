import type { LoginNews, Provider } from '@latchkey/core'
import { classifyMethod, isLatchkeyError, LatchkeyError, type ChainId, type Namespace } from '@latchkey/protocol'
import { hexOf } from './families.ts'
import type { Frame } from './frame.ts'
import { FrameRefused } from './questions.ts'

const readMilliseconds = 30_000
const approvalMilliseconds = 120_000

export type ProviderOptions = {
  readonly frame: Frame
  readonly namespace: Namespace
  readonly wallet: { readonly name: string }
  chainId(): ChainId
  /** Whether the connection ended. */
  isOver(): boolean
  tell(news: LoginNews): void
}

/** The wallet's face for one namespace: what only reads is asked, what signs is shown, and nothing else is passed on [R6.3]. */
export function createProvider({ frame, namespace, wallet, chainId, isOver, tell }: ProviderOptions): Provider {
  return {
    async request({ method, params }) {
      const kind = classifyMethod(method)
      if (kind === 'unknown') {
        // Who asks for another network hears no, and goes there by `switchTo`: nothing for the visitor to be told.
        if (method !== 'wallet_switchEthereumChain') tell({ type: 'not-allowed', method })
        throw new LatchkeyError('request/not-allowed', { method })
      }
      if (isOver()) throw new LatchkeyError('wallet/unavailable', { wallet: wallet.name })
      if (method === 'eth_chainId') return hexOf(chainId())
      const isUnsafe = kind === 'unsafe'
      const payload = { method, params: plain(params), chainNamespace: namespace, chainId: chainId() }
      const milliseconds = isUnsafe ? approvalMilliseconds : readMilliseconds
      try {
        const answer = await frame.ask('RPC_REQUEST', payload, { milliseconds, held: isUnsafe })
        if (isUnsafe) tell({ type: 'approved', method })
        return answer
      } catch (error) {
        throw failureOf(error, method, isUnsafe)
      }
    },
  }
}

/** Amounts are big integers in pages, and hex on the wire. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `0x${value.toString(16)}`
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}

function failureOf(error: unknown, method: string, isUnsafe: boolean): unknown {
  if (error instanceof FrameRefused) return readRefusal(error, method)
  if (isLatchkeyError(error, 'embedded/timeout')) {
    // Nobody can tell whether the frame was about to carry it out.
    if (isUnsafe) return new LatchkeyError('request/unknown', { method }, { cause: error })
    return new LatchkeyError('request/failed', { method, code: undefined, reason: error.message }, { cause: error })
  }
  if (isLatchkeyError(error, 'request/rejected')) {
    return new LatchkeyError('request/rejected', { method }, { sentence: error.message })
  }
  return error
}

/** What the frame says no with, as this project names it [R8.3.7]. */
function readRefusal(error: FrameRefused, method: string): LatchkeyError {
  const { message: reason, refusal: code } = error
  if (isRejection(error)) return new LatchkeyError('request/rejected', { method }, { cause: error })
  if (/is not allowed/i.test(reason)) return new LatchkeyError('request/not-allowed', { method }, { cause: error })
  return new LatchkeyError('request/failed', { method, code, reason }, { cause: error })
}

/** Whether it was the visitor who said no. */
export function isRejection({ message, refusal }: FrameRefused): boolean {
  return refusal === 4001 || /user (rejected|denied)|connection request reset/i.test(message)
}
