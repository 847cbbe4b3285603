/** A clock. It is injected, so that tests control time. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after `milliseconds`. Returns a function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void
}

/** The clock of the platform. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}
