// Random numbers that are the same for the same seed.

/** @typedef {() => number} Random returns numbers from 0 up to 1 */

/**
 * Creates a generator (mulberry32).
 *
 * @param {number} seed
 * @returns {Random}
 */
export function createRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Draws from a power law (Pareto) between two bounds.
 *
 * @param {Random} random
 * @param {{ exponent: number, least: number, most: number }} law
 */
export function drawPower(random, { exponent, least, most }) {
  return Math.min(most, least * (1 - random()) ** (-1 / exponent))
}

/**
 * Creates a choice among ranks from 0 on, of which rank `r` has the weight (r + 1) ^ -exponent.
 *
 * @param {number} count
 * @param {number} exponent
 * @returns {(random: Random) => number}
 */
export function createRankChoice(count, exponent) {
  const weights = Array.from({ length: count }, (_, rank) => (rank + 1) ** -exponent)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let reached = 0
  const bounds = weights.map((weight) => (reached += weight / total))
  return (random) => {
    const drawn = random()
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((bounds[middle] ?? 1) < drawn) low = middle + 1
      else high = middle
    }
    return low
  }
}
