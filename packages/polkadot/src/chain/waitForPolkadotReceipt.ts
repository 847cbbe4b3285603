import { systemClock, type Clock, type Receipt } from '@latchkey/core'
import { transactionError } from '@latchkey/protocol'

/**
 * Waits for the timeout. Nodes of this namespace can't look up a transaction by its hash, so the result is always that
 * the transaction may still be pending.
 *
 * @throws LatchkeyError `transaction/pending`, always
 */
export async function waitForPolkadotReceipt(
  clock: Clock = systemClock,
  hash: string,
  { timeout, signal }: { timeout: number; signal?: AbortSignal },
): Promise<Receipt> {
  await new Promise<void>((resolve) => {
    const cancel = clock.after(timeout, resolve)
    const onAbort = (): void => {
      cancel()
      resolve()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted === true) onAbort()
  })
  throw transactionError('transaction/pending', { hash, seconds: Math.round(timeout / 1000) })
}
