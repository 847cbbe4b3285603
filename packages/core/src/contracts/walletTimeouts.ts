import { type LatchkeyError, connectionError } from '@latchkey/protocol'
import type { Clock } from './clock.ts'

/** The timeouts for wallets of the page, in milliseconds. */
export const walletTimeouts = {
  /** For requests without a prompt. */
  read: 10_000,
  /** To revoke a connection. */
  goodbye: 1_000,
  /** For requests with a prompt. */
  approval: 300_000,
} as const

/** Returns the result of a promise, or rejects if it takes longer than the given time. */
export function withTimeout<result>(
  clock: Clock,
  milliseconds: number,
  promise: Promise<result>,
  late: () => LatchkeyError,
): Promise<result> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => reject(late()))
    promise.then(resolve, reject).finally(cancel)
  })
}

/** Returns the result of a promise, or rejects with `connection/aborted` when the signal is aborted. */
export function withAbort<result>(promise: Promise<result>, signal: AbortSignal): Promise<result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(connectionError('connection/aborted', {}))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
