import type { Provider } from '@latchkey/core'
import { classifyMethod, LatchkeyError } from '@latchkey/protocol'
import { errorCode, errorReason, isRejection, type Eip1193Provider } from './eip1193.ts'

/** How long a wallet may take to answer what it need not ask its owner. */
const readMilliseconds = 10_000
/** How long an approval is waited for. */
const approvalMilliseconds = 300_000

/** A provider whose every request ends: with an answer, or with an error that says what is known. */
export type GuardedProvider = Provider & {
  /** Ends all requests under way, because the wallet is gone. */
  abandon(): void
}

/** Puts the words of Latchkey and a time limit around a wallet's provider. */
export function guardProvider(provider: Eip1193Provider, wallet: string): GuardedProvider {
  const underWay = new Set<() => void>()

  function request(args: { method: string; params?: unknown }): Promise<unknown> {
    const { method } = args
    const isRead = classifyMethod(method) === 'safe'
    // What was to be signed may have been signed; only a read is known to have come to nothing.
    const gone = (): LatchkeyError =>
      isRead ? new LatchkeyError('wallet/unavailable', { wallet }) : new LatchkeyError('request/unknown', { method })
    return new Promise((resolve, reject) => {
      const abandon = (): void => finish(() => reject(gone()))
      const timer = setTimeout(abandon, isRead ? readMilliseconds : approvalMilliseconds)
      const finish = (settle: () => void): void => {
        clearTimeout(timer)
        underWay.delete(abandon)
        settle()
      }
      underWay.add(abandon)
      ask(args).then(
        (answer) => finish(() => resolve(answer)),
        (error: unknown) => finish(() => reject(error)),
      )
    })
  }

  async function ask(args: { method: string; params?: unknown }): Promise<unknown> {
    try {
      return await provider.request(args)
    } catch (cause) {
      throw translate(args.method, cause)
    }
  }

  function translate(method: string, cause: unknown): LatchkeyError {
    const code = errorCode(cause)
    if (isRejection(cause)) return new LatchkeyError('request/rejected', { method }, { cause })
    if (code === 4900 || code === 4901) return new LatchkeyError('wallet/unavailable', { wallet }, { cause })
    const reason = code === -32002 ? 'it still waits for an answer to an earlier request' : errorReason(cause)
    return new LatchkeyError('request/failed', { method, code, reason }, { cause })
  }

  return {
    request,
    abandon: () => {
      for (const end of underWay) end()
    },
  }
}
