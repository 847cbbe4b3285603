import type { Clock } from '@latchkey/core'

/**
 * The time of a relay, as far as its messages tell it. Expiries are compared in this time, so that two sides agree on
 * them whose own clocks differ by hours.
 */
export type RelayTime = Clock & {
  /**
   * Takes note of a message that has just arrived.
   *
   * @param publishedAt when the relay took it, in milliseconds by the relay's clock
   * @param ttl how long the relay keeps it at most, in seconds
   */
  heard(publishedAt: number, ttl: number): void
}

/**
 * A clock that is behind by less is taken for right, and so is one by which a message had so much of its TTL left, in
 * milliseconds. Links count a minute less than the relay keeps their proposals, so that no proposal has less left.
 */
const tolerance = 60_000

/** Makes the time of a relay from one's own; it is one's own until messages contradict that. */
export function createRelayTime(clock: Clock): RelayTime {
  // How far the own clock is ahead lies between the two: a message cannot be younger than nothing, nor older than its TTL.
  let least = -Infinity
  let most = Infinity

  function ahead(): number {
    // Of all that is possible, that the freshest message came at once.
    return least > -tolerance || most < -tolerance ? most : 0
  }

  return {
    now: () => clock.now() - ahead(),
    after: clock.after,
    heard(publishedAt, ttl) {
      const age = clock.now() - publishedAt
      least = Math.max(least, age - ttl * 1000)
      most = Math.min(most, age)
      if (least <= most) return
      // Somebody has set the clock meanwhile: what was known counts no more.
      least = age - ttl * 1000
      most = age
    },
  }
}
