import type { Latchkey } from '../../instance/latchkey.ts'
import { checkCalls } from './followCalls.ts'
import { checkOutcome } from './followTransaction.ts'
import { pendingLimit, pendingTransactions } from './pendingTransactions.ts'

/** The interval of lookups [R9.1.8]. */
const pollMilliseconds = 30_000

/** The timeout of one lookup. */
const lookMilliseconds = 1_000

export type WatchOptions = {
  /** Milliseconds between lookups. Defaults to half a minute. */
  interval?: number
  /** The maximum number of watched transactions. Defaults to 99. */
  limit?: number
}

/**
 * Checks every 30 seconds for the transactions that were not found in time. Runs only if the app calls it. It ends
 * with the 99th transaction [R4.4.7].
 *
 * @returns a function that stops it
 * @example const stop = watchPending(latchkey)
 */
export function watchPending(
  latchkey: Latchkey,
  { interval = pollMilliseconds, limit = pendingLimit }: WatchOptions = {},
): () => void {
  const counted = new Set<string>()
  let isStopped = false
  let cancel = (): void => {}
  const stop = (): void => {
    isStopped = true
    cancel()
  }
  const plan = (): void => {
    cancel = latchkey.internal.clock.after(interval, () => void look())
  }
  const look = async (): Promise<void> => {
    const all = pendingTransactions(latchkey).getState()
    for (const { chainId, hash } of all) counted.add(`${chainId}/${hash}`)
    if (counted.size >= limit) return stop()
    // Transactions with a waiting caller are checked already.
    const lost = all.filter(({ status }) => status === 'unknown')
    await Promise.all(
      lost.map((each) =>
        each.batch === true ? checkCalls(latchkey, each) : checkOutcome(latchkey, each, lookMilliseconds),
      ),
    )
    if (!isStopped) plan()
  }
  plan()
  return stop
}
