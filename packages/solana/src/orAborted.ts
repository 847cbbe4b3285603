import { LatchkeyError } from '@latchkey/protocol'

/** What a promise tells, unless nobody waits for it any more: then `connection/aborted`. */
export function orAborted<result>(promise: Promise<result>, signal: AbortSignal): Promise<result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new LatchkeyError('connection/aborted', {}))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
