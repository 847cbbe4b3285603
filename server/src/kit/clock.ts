/** Where the time comes from: milliseconds since 1970. Tests pass one that they turn by hand. */
export type Clock = { now(): number }

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() }
