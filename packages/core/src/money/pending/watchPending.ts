import type { Latchkey } from '../../latchkey.ts'
import { lookAgain } from './followTransaction.ts'
import { pendingLimit, pendingTransactions } from './pendingTransactions.ts'

/** How often is looked [R9.1.8]. */
const pollMilliseconds = 30_000

/** How long one look at one transaction may take. */
const lookMilliseconds = 1_000

export type WatchOptions = {
  /** Milliseconds between two looks; half a minute when left out. */
  interval?: number
  /** How many transactions are watched at most; 99 when left out. */
  limit?: number
}

/**
 * Looks every half minute what became of the transactions that were not found in time. Nobody does unless the app calls
 * this. Transactions are counted, and watching ends with the 99th [R4.4.7].
 *
 * @returns what stops it
 * @example const stop = watchPending(latchkey)
 */
export function watchPending(
  latchkey: Latchkey,
  { interval = pollMilliseconds, limit = pendingLimit }: WatchOptions = {},
): () => void {
  const counted = new Set<string>()
  let over = false
  let cancel = (): void => {}
  const stop = (): void => {
    over = true
    cancel()
  }
  const plan = (): void => {
    cancel = latchkey.clock.after(interval, () => void look())
  }
  const look = async (): Promise<void> => {
    const all = pendingTransactions(latchkey).getState()
    for (const { chainId, hash } of all) counted.add(`${chainId}/${hash}`)
    if (counted.size >= limit) return stop()
    // Those that somebody waits for are looked for already.
    const lost = all.filter(({ status }) => status === 'unknown')
    await Promise.all(lost.map((each) => lookAgain(latchkey, { ...each, sent: each }, lookMilliseconds)))
    if (!over) plan()
  }
  plan()
  return stop
}
