/** Time, passed in so that tests own it. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after `milliseconds`; returns what cancels it. */
  after(milliseconds: number, callback: () => void): () => void
}

/** The platform's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}
