import type { Clock } from '@latchkey/core'
import { randomInteger } from '../crypto/bytes.ts'

/** Retries with exponential backoff. */
export type Backoff = {
  /** Schedules an attempt. Returns its time, in milliseconds since the epoch. */
  schedule(attempt: () => void): number
  /** Cancels the scheduled attempt. */
  cancel(): void
  /** Returns to the shortest delay. */
  reset(): void
}

/** Milliseconds. */
const delaysMs = { first: 250, longest: 30_000 } as const

/** Creates a backoff whose delays double from 250 ms to 30 s. */
export function createBackoff(clock: Clock): Backoff {
  let failures = 0
  let cancel = (): void => {}
  return {
    schedule(attempt) {
      const longest = Math.min(delaysMs.longest, delaysMs.first * 2 ** failures)
      // Jitter: all clients lose a restarting relay at once, and must not return at once.
      const delay = longest / 2 + randomInteger(longest / 2)
      failures += 1
      cancel = clock.after(delay, attempt)
      return clock.now() + delay
    },
    cancel: () => cancel(),
    reset() {
      failures = 0
    },
  }
}
