/** What came before. */
export type Repeats = {
  /** Whether something came before; from now on it did. */
  has(mark: string): boolean
}

/** Remembers the last `limit` things, so that what grows without end does not. */
export function createRepeats(limit: number): Repeats {
  const seen = new Set<string>()
  return {
    has(mark) {
      if (seen.has(mark)) return true
      seen.add(mark)
      const [oldest] = seen
      if (seen.size > limit && oldest !== undefined) seen.delete(oldest)
      return false
    },
  }
}
