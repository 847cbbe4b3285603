/** Recently seen ids. */
export type SeenIds = {
  /** Returns true if the id was seen before, and remembers it. */
  checkAndAdd(id: string): boolean
}

/** Remembers the last `limit` ids, so that memory stays bounded. */
export function createSeenIds(limit: number): SeenIds {
  const seen = new Set<string>()
  return {
    checkAndAdd(id) {
      if (seen.has(id)) return true
      seen.add(id)
      const [oldest] = seen
      if (seen.size > limit && oldest !== undefined) seen.delete(oldest)
      return false
    },
  }
}
