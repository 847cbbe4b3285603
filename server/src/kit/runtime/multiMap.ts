/** Sets of values by key. Most keys have one value, so that a `Map` of sets would take 200 bytes more for each. */
export type MultiMap<Value extends object> = {
  get(key: string): Iterable<Value>
  /** Adds a value. Returns true if the key had none. */
  add(key: string, value: Value): boolean
  /** Removes a value. Returns true if the key has none left, but had this one. */
  remove(key: string, value: Value): boolean
  keys(): Iterable<string>
  clear(): void
}

const none: Iterable<never> = []

/** Creates an empty map. The values are no sets. */
export function createMultiMap<Value extends object>(): MultiMap<Value> {
  const values = new Map<string, Value | Set<Value>>()

  return {
    get(key) {
      const found = values.get(key)
      if (found === undefined) return none
      return found instanceof Set ? found : [found]
    },
    add(key, value) {
      const found = values.get(key)
      if (found === undefined) values.set(key, value)
      else if (found instanceof Set) found.add(value)
      else if (found !== value) values.set(key, new Set([found, value]))
      return found === undefined
    },
    remove(key, value) {
      const found = values.get(key)
      if (found === value) return values.delete(key)
      return found instanceof Set && found.delete(value) && found.size === 0 && values.delete(key)
    },
    keys: () => values.keys(),
    clear: () => values.clear(),
  }
}
