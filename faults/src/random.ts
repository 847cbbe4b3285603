/** A seeded source of random numbers, so that a failed run can be repeated. Not for secrets. */
export type Random = {
  /** At least 0, less than 1. */
  next(): number
  /** An integer in the range, both ends included. */
  between(least: number, most: number): number
}

/**
 * Creates a source of random numbers (Mulberry32).
 *
 * @param seed an integer; only its lowest 32 bits count
 * @example createRandom(7).between(1_000, 5_000)
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, between: (least, most) => least + Math.floor(next() * (most - least + 1)) }
}
