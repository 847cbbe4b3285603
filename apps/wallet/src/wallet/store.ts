/** An observable value that is replaced as a whole. */
export type Store<value> = {
  get(): value
  set(value: value): void
  subscribe(listener: () => void): () => void
}

/** Creates a store that holds `value`. */
export function createStore<value>(value: value): Store<value> {
  const listeners = new Set<() => void>()
  let current = value
  return {
    get: () => current,
    set(next) {
      if (Object.is(next, current)) return
      current = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
