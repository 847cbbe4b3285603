import type { Clock } from '../runtime/clock.ts'
import { Problem } from '../http/problem.ts'

/** Refuses requests while the server has more work than it can do soon. */
export type LoadShedder = {
  /** @throws Problem 503 with `Retry-After` while the queue is too long */
  assertNotOverloaded(): void
  stop(): void
}

export type LoadShedderOptions = {
  clock: Clock
  /** Gets the number of tasks that wait now. */
  getWaiting(): number
  /** So many tasks may wait at any time. */
  maxWaiting: number
}

/** A longer queue is an overload only after this time, because one request may have many tasks. */
const toleratedMs = 500
/** Time after an overload in which a longer queue counts at once. Otherwise the queue would fill up again and again. */
const alertMs = 5_000
const sampleIntervalMs = 100
const retryAfterSeconds = 2

/**
 * Creates the shedder of a queue. Work that waits too long is wasted, because its client gives up, or asks again. Therefore
 * new requests are refused before they join a queue that does not get shorter.
 */
export function createLoadShedder({ clock, getWaiting, maxWaiting }: LoadShedderOptions): LoadShedder {
  let longSince: number | undefined
  let alertUntil = Number.NEGATIVE_INFINITY

  function observe(): boolean {
    const now = clock.now()
    if (getWaiting() <= maxWaiting) {
      longSince = undefined
      return false
    }
    longSince ??= now
    if (now - longSince >= toleratedMs) alertUntil = now + alertMs
    return now < alertUntil
  }

  // Requests alone would not see that the queue was short in between.
  const timer = setInterval(observe, sampleIntervalMs).unref()
  return {
    assertNotOverloaded() {
      if (observe()) throw new Problem(503, '', 'The server is busy. Try again.', { retryAfter: retryAfterSeconds })
    },
    stop: () => clearInterval(timer),
  }
}
