import { LatchkeyError } from '@latchkey/protocol'
import type { Clock } from './clock.ts'

/** How long a wallet of the page may take, in milliseconds. */
export const walletPatience = {
  /** To answer what it need not ask its owner. */
  read: 10_000,
  /** To take a consent back. */
  goodbye: 1_000,
  /** To get an approval. */
  approval: 300_000,
} as const

/** What a promise tells, or an error when it takes longer than so many milliseconds. */
export function within<result>(
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

/** What a promise tells, unless nobody waits for it any more: then `connection/aborted`. */
export function orAborted<result>(promise: Promise<result>, signal: AbortSignal): Promise<result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new LatchkeyError('connection/aborted', {}))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
