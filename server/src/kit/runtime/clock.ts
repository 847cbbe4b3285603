/** The current time in milliseconds since 1970. Tests pass a clock that they control. */
export type Clock = { now(): number }

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() }
