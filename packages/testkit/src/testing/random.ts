/** A seeded random generator. */
export type Random = {
  /** Returns an integer from 0 (inclusive) to the limit (exclusive). */
  below(limit: number): number
  /** Returns true with this probability, from 0 to 1. */
  chance(probability: number): boolean
  /** @throws RangeError if the list is empty */
  pick<item>(items: readonly item[]): item
  /** Returns a shuffled copy. */
  shuffle<item>(items: readonly item[]): readonly item[]
}

/**
 * Creates a reproducible random generator (Marsaglia's xorshift32).
 *
 * @example createRandom(7).below(6)
 */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) | 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    pick(items) {
      for (const item of items.slice(below(items.length))) return item
      throw new RangeError('the list is empty')
    },
    shuffle: (items) =>
      items
        .map((item) => ({ item, at: next() }))
        .toSorted((one, other) => one.at - other.at)
        .map(({ item }) => item),
  }
}
