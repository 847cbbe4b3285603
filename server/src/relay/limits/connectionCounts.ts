/** Open connections per key, such as a client id or an address. */
export type ConnectionCounts = {
  get(key: string): number
  add(keys: readonly string[]): void
  remove(keys: readonly string[]): void
}

/** Creates empty counts. */
export function createConnectionCounts(): ConnectionCounts {
  const counts = new Map<string, number>()

  function change(key: string, by: number): void {
    const next = (counts.get(key) ?? 0) + by
    if (next === 0) counts.delete(key)
    else counts.set(key, next)
  }

  return {
    get: (key) => counts.get(key) ?? 0,
    add: (keys) => keys.forEach((key) => change(key, 1)),
    remove: (keys) => keys.forEach((key) => change(key, -1)),
  }
}
