import { systemClock, type Clock, type Receipt } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol'

/**
 * Waits out the time: nodes of this family cannot be asked for a transaction by its hash, so nobody can tell more than
 * that it may still be on its way.
 */
export async function waitForReceipt(
  clock: Clock = systemClock,
  hash: string,
  { timeout, signal }: { timeout: number; signal?: AbortSignal },
): Promise<Receipt> {
  await new Promise<void>((resolve) => {
    const cancel = clock.after(timeout, resolve)
    const giveUp = (): void => {
      cancel()
      resolve()
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    if (signal?.aborted === true) giveUp()
  })
  throw new LatchkeyError('transaction/pending', { hash, seconds: Math.round(timeout / 1000) })
}
