import type { Clock } from '@latchkey/core'
import { randomInteger } from './bytes.ts'

/** Attempts that follow each other ever more slowly. */
export type Retries = {
  /** Calls back after a while, longer each time; returns when, in milliseconds since the epoch. */
  later(attempt: () => void): number
  /** Gives up the attempt that is waited for. */
  cancel(): void
  /** Begins with short waits again. */
  reset(): void
}

/** Milliseconds. */
const waits = { first: 250, longest: 30_000 } as const

export function createRetries(clock: Clock): Retries {
  let failures = 0
  let cancel = (): void => {}
  return {
    later(attempt) {
      const longest = Math.min(waits.longest, waits.first * 2 ** failures)
      // All clients lose a relay that restarts in one moment, and must not come back in one.
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
