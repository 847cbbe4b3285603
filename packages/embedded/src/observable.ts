/** A value with subscribers. It is replaced as a whole. */
export type Observable<value> = {
  get(): value
  set(next: value): void
  subscribe(listener: (value: value) => void): () => void
}

/** Functions that receive every emitted value. */
export type Listeners<value> = {
  emit(value: value): void
  /** Adds a listener; returns a function that removes it. */
  listen(listener: (value: value) => void): () => void
}

/** Creates an empty set of listeners. */
export function createListeners<value>(): Listeners<value> {
  const listeners = new Set<(value: value) => void>()
  return {
    emit: (value) => listeners.forEach((listener) => listener(value)),
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Creates an observable with an initial value. */
export function createObservable<value>(first: value): Observable<value> {
  const { emit, listen } = createListeners<value>()
  let present = first
  return {
    get: () => present,
    set(next) {
      present = next
      emit(next)
    },
    subscribe: listen,
  }
}
