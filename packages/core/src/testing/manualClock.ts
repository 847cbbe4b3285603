import type { Clock } from '../contracts/clock.ts'

/** A clock that stands still until the test advances it. */
export type ManualClock = Clock & {
  /** Advances time, and runs due callbacks in the order of their times. */
  advance(milliseconds: number): void
  /** The number of pending callbacks. */
  waiting(): number
}

/**
 * Creates a clock that a test controls.
 *
 * @param start milliseconds since the epoch
 * @example
 * const clock = manualClock()
 * clock.after(500, ring)
 * clock.advance(500) // ring was called
 */
export function manualClock(start: number = Date.UTC(2025, 0, 1)): ManualClock {
  let now = start
  const timers = new Set<{ at: number; callback: () => void }>()
  const nextDue = (until: number): { at: number; callback: () => void } | undefined =>
    [...timers].filter((timer) => timer.at <= until).toSorted((a, b) => a.at - b.at)[0]
  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(milliseconds) {
      const until = now + milliseconds
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        timers.delete(timer)
        now = Math.max(now, timer.at)
        timer.callback()
      }
      now = until
    },
    waiting: () => timers.size,
  }
}
