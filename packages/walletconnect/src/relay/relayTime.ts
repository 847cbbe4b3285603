import type { Clock } from '@latchkey/core'

/**
 * The time of a relay, as known from its messages. Expiries are compared in this time, so that two sides agree on them
 * even if their own clocks differ by hours.
 */
export type RelayTime = Clock & {
  /** The time of this device in milliseconds, which no relay can change. */
  localNow(): number
  /**
   * Evaluates a message that has just arrived.
   *
   * @param publishedAt the time at which the relay accepted it, in milliseconds by the relay's clock
   * @param ttl the longest time that the relay stores it, in seconds
   */
  observe(publishedAt: number, ttl: number): void
}

/**
 * Milliseconds. A clock that is behind by less counts as correct, and so does one by which a message had this much of its
 * TTL left. Pairing URIs expire a minute before the relay drops their proposals, so that no proposal has less left.
 */
const tolerance = 60_000

/** Creates the relay's time from the local clock. They are equal until messages contradict it. */
export function createRelayTime(clock: Clock): RelayTime {
  // The bounds of how far the local clock is ahead: the age of a message is at least zero and at most its TTL.
  let least = -Infinity
  let most = Infinity

  function ahead(): number {
    // The best estimate assumes that the freshest message arrived at once.
    return least > -tolerance || most < -tolerance ? most : 0
  }

  return {
    now: () => clock.now() - ahead(),
    localNow: () => clock.now(),
    after: clock.after,
    observe(publishedAt, ttl) {
      const age = clock.now() - publishedAt
      least = Math.max(least, age - ttl * 1000)
      most = Math.min(most, age)
      if (least <= most) return
      // The clock has been changed, so earlier observations are void.
      least = age - ttl * 1000
      most = age
    },
  }
}
