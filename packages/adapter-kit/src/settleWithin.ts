import type { Clock } from '@latchkey/core'

/**
 * Waits until a promise settles, at most for some time. Adapters use it to notify a wallet that the user disconnected:
 * many wallets can't revoke a consent, and some never respond.
 *
 * @param timeoutMs milliseconds
 * @example await settleWithin(clock, 1_000, wallet.close())
 */
export function settleWithin(clock: Clock, timeoutMs: number, promise: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(timeoutMs, resolve)
    const finish = (): void => {
      cancel()
      resolve()
    }
    promise.then(finish, finish)
  })
}
