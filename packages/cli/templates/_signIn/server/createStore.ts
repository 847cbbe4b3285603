/**
 * Creates a map whose entries expire. Above its capacity it deletes the oldest entries, so that requests can't fill the
 * memory. With several processes, or to keep users signed in after a restart, replace it with your database.
 */
export function createStore<value>({ lifetimeMs, capacity }: { lifetimeMs: number; capacity: number }) {
  const entries = new Map<string, { value: value; expiresAt: number }>()

  function get(key: string): value | undefined {
    const entry = entries.get(key)
    return entry !== undefined && Date.now() < entry.expiresAt ? entry.value : undefined
  }

  return {
    get,
    set(key: string, value: value): void {
      const now = Date.now()
      for (const [oldest, { expiresAt }] of entries) {
        if (now < expiresAt && entries.size < capacity) break
        entries.delete(oldest)
      }
      entries.set(key, { value, expiresAt: now + lifetimeMs })
    },
    /** Returns a value and deletes it. */
    take(key: string): value | undefined {
      const value = get(key)
      entries.delete(key)
      return value
    },
  }
}
