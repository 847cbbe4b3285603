/** A value that can be read and subscribed to. */
export type Observable<value> = {
  get(): value
  /** Calls `listener` with each new value. Returns a function that unsubscribes. */
  subscribe(listener: (value: value) => void): () => void
}

/** Creates an observable that its owner sets. */
export function createObservable<value>(initial: value): Observable<value> & { set(next: value): void } {
  let current = initial
  const listeners = new Set<(value: value) => void>()
  return {
    get: () => current,
    set(next) {
      current = next
      for (const listener of listeners) listener(next)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
