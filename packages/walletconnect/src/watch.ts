import type { Clock } from '@latchkey/core'

/** Waits for the moments after which a connection may be dead without having said so. */
export type Watch = {
  start(): void
  stop(): void
}

/** How often the clock is looked at, in milliseconds. */
const pulse = 15_000

/**
 * Makes a watch that calls `wake` when the platform promises a change, and when a timer rings late: then the machine
 * slept or the page was frozen, which ends connections without a word.
 *
 * @param onWake follows the platform's moments; returns what stops it
 */
export function createWatch(clock: Clock, onWake: (wake: () => void) => () => void, wake: () => void): Watch {
  let stopWaking = (): void => {}
  let cancelPulse = (): void => {}

  function feelPulse(): void {
    const due = clock.now() + pulse
    cancelPulse = clock.after(pulse, () => {
      const wasAsleep = clock.now() - due > pulse
      feelPulse()
      if (wasAsleep) wake()
    })
  }

  function stop(): void {
    stopWaking()
    cancelPulse()
  }

  return {
    start() {
      stop()
      stopWaking = onWake(wake)
      feelPulse()
    },
    stop,
  }
}
