type Listener<payload> = (payload: payload) => void

/** Events as EIP-1193 has them: named, each with one payload. */
export type Emitter<events> = {
  on<name extends keyof events>(name: name, listener: Listener<events[name]>): void
  /** Like `on`, for the next time only. */
  once<name extends keyof events>(name: name, listener: Listener<events[name]>): void
  off<name extends keyof events>(name: name, listener: Listener<events[name]>): void
  /** The same as `off`, by the name that EIP-1193 has for it. */
  removeListener<name extends keyof events>(name: name, listener: Listener<events[name]>): void
}

/** Makes the events of a provider; `emit` stays with whoever makes them. */
export function createEmitter<events>(): Emitter<events> & {
  emit<name extends keyof events>(name: name, payload: events[name]): void
} {
  const entries: Partial<{ [name in keyof events]: ReadonlyArray<Entry<events[name]>> }> = {}

  function add<name extends keyof events>(name: name, entry: Entry<events[name]>): void {
    entries[name] = [...(entries[name] ?? []), entry]
  }

  function off<name extends keyof events>(name: name, listener: Listener<events[name]>): void {
    entries[name] = entries[name]?.filter((entry) => entry.listener !== listener)
  }

  return {
    on: (name, listener) => add(name, { listener, isOnce: false }),
    once: (name, listener) => add(name, { listener, isOnce: true }),
    off,
    removeListener: off,
    emit(name, payload) {
      const told = entries[name] ?? []
      entries[name] = told.filter(({ isOnce }) => !isOnce)
      for (const { listener } of told) {
        try {
          listener(payload)
        } catch (error) {
          // A listener that throws is the app's mistake: it is reported, and stops nobody else.
          console.error(error)
        }
      }
    },
  }
}

type Entry<payload> = { readonly listener: Listener<payload>; readonly isOnce: boolean }
