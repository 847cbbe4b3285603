import type { Clock } from '@latchkey/core'

/** Calls back when things expire. */
export type Expirer = {
  /** Calls back once at `expiry` (Unix seconds); an earlier plan for the same key is given up. */
  at(key: string, expiry: number, callback: () => void): void
  cancel(key: string): void
  cancelAll(): void
}

/** The longest a platform timer can wait, in milliseconds: beyond it, it rings at once. */
const longestWait = 2 ** 31 - 1

export function createExpirer(clock: Clock): Expirer {
  const cancels = new Map<string, () => void>()

  function cancel(key: string): void {
    cancels.get(key)?.()
    cancels.delete(key)
  }

  function at(key: string, expiry: number, callback: () => void): void {
    cancel(key)
    const left = (): number => expiry * 1000 - clock.now()
    const ring = (): void => {
      cancels.delete(key)
      // The wait was longer than timers can be, or the clock was found to be wrong meanwhile.
      if (left() > 0) at(key, expiry, callback)
      else callback()
    }
    cancels.set(key, clock.after(Math.min(Math.max(left(), 0), longestWait), ring))
  }

  return {
    at,
    cancel,
    cancelAll() {
      for (const key of cancels.keys()) cancel(key)
    },
  }
}
