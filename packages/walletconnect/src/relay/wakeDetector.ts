import type { Clock } from '@latchkey/core'

/** Detects moments after which a connection may be dead without a close event. */
export type WakeDetector = {
  start(): void
  stop(): void
}

/** The interval between two looks at the clock. */
const intervalMs = 15_000

/**
 * Creates a detector that calls `wake` when the platform reports a change, and when a timer fires late: then the machine
 * slept or the page was frozen, which ends connections without a close event.
 *
 * @param onWake subscribes to the platform's events and returns a function that unsubscribes
 */
export function createWakeDetector(
  clock: Clock,
  onWake: (wake: () => void) => () => void,
  wake: () => void,
): WakeDetector {
  let unsubscribe = (): void => {}
  let cancelTimer = (): void => {}

  function startTimer(): void {
    const due = clock.now() + intervalMs
    cancelTimer = clock.after(intervalMs, () => {
      const wasAsleep = clock.now() - due > intervalMs
      startTimer()
      if (wasAsleep) wake()
    })
  }

  function stop(): void {
    unsubscribe()
    cancelTimer()
  }

  return {
    start() {
      stop()
      unsubscribe = onWake(wake)
      startTimer()
    },
    stop,
  }
}
