/** Delivers the events of a simulated wallet to its subscribers. */
export type EventHub<event extends string> = {
  emit(event: event, value: unknown): void
  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: event, value: unknown) => void): () => void
}

/** Creates an event hub without subscribers. */
export function createEventHub<event extends string>(): EventHub<event> {
  const listeners = new Set<(event: event, value: unknown) => void>()
  return {
    emit(event, value) {
      for (const listener of listeners) listener(event, value)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
