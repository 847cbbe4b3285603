/** What the connection to the relay is doing, truthfully. */
export type RelayStatus =
  /** Nothing needs the relay. */
  | { readonly state: 'idle' }
  | { readonly state: 'connecting' }
  | { readonly state: 'open' }
  /** It could not be reached; it is tried again by itself at `retryAt`, in milliseconds since the epoch. */
  | { readonly state: 'waiting'; readonly retryAt: number }
  /** The relay does not want this client (unknown project, origin not allowed, wrong clock). Not tried again by itself. */
  | { readonly state: 'refused'; readonly reason: string }

/** A value that can be read and followed. */
export type Observable<value> = {
  get(): value
  /** Calls back with each new value; returns what stops it. */
  subscribe(listener: (value: value) => void): () => void
}

/** An observable that its owner sets. */
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
