import type { Clock } from '../kit/runtime/clock.ts'

/** Creates a clock that never goes back: expired codes stay expired when the machine's time is set back. */
export function createMonotonicClock(clock: Clock): Clock {
  let latest = Number.NEGATIVE_INFINITY
  return {
    now() {
      latest = Math.max(latest, clock.now())
      return latest
    },
  }
}
