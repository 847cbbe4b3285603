import type { Clock } from '../kit/clock.ts'

/** A clock that never goes back: what was over stays over when somebody sets the machine's time. */
export function monotonic(clock: Clock): Clock {
  let latest = Number.NEGATIVE_INFINITY
  return {
    now() {
      latest = Math.max(latest, clock.now())
      return latest
    },
  }
}
