/** A value that is replaced whole, and those who follow it. */
export type Observable<value> = {
  get(): value
  set(next: value): void
  subscribe(listener: (value: value) => void): () => void
}

export function createObservable<value>(first: value): Observable<value> {
  const listeners = new Set<(value: value) => void>()
  let present = first
  return {
    get: () => present,
    set(next) {
      present = next
      for (const listener of listeners) listener(next)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
