import type { Clock } from '@latchkey/core'

/** Timers by key that run a callback at an expiry. */
export type ExpiryTimers = {
  /** Runs `callback` once at `expiry` (Unix seconds). Replaces an earlier timer of the same key. */
  set(key: string, expiry: number, callback: () => void): void
  cancel(key: string): void
  cancelAll(): void
}

/** The longest delay of a platform timer, in milliseconds. Longer delays fire at once. */
const longestDelayMs = 2 ** 31 - 1

/** Creates expiry timers on a clock. */
export function createExpiryTimers(clock: Clock): ExpiryTimers {
  const cancels = new Map<string, () => void>()

  function cancel(key: string): void {
    cancels.get(key)?.()
    cancels.delete(key)
  }

  function set(key: string, expiry: number, callback: () => void): void {
    cancel(key)
    const remainingMs = (): number => expiry * 1000 - clock.now()
    const fire = (): void => {
      cancels.delete(key)
      // The delay exceeded the limit of timers, or the clock was corrected in the meantime.
      if (remainingMs() > 0) set(key, expiry, callback)
      else callback()
    }
    cancels.set(key, clock.after(Math.min(Math.max(remainingMs(), 0), longestDelayMs), fire))
  }

  return {
    set,
    cancel,
    cancelAll() {
      for (const key of cancels.keys()) cancel(key)
    },
  }
}
