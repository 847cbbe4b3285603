type Listener<payload> = (payload: payload) => void

/** Named events with one payload each, as in EIP-1193. */
export type Emitter<events> = {
  on<name extends keyof events>(name: name, listener: Listener<events[name]>): void
  /** Like `on`, for the next event only. */
  once<name extends keyof events>(name: name, listener: Listener<events[name]>): void
  off<name extends keyof events>(name: name, listener: Listener<events[name]>): void
  /** Same as `off`, with the name that EIP-1193 uses. */
  removeListener<name extends keyof events>(name: name, listener: Listener<events[name]>): void
}

export type Emit<events> = <name extends keyof events>(name: name, payload: events[name]) => void

type Entry<payload> = { readonly listener: Listener<payload>; readonly isOnce: boolean }

/** Creates an emitter. Only its owner receives `emit`. */
export function createEmitter<events>(): Emitter<events> & { emit: Emit<events> } {
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
      const current = entries[name] ?? []
      entries[name] = current.filter(({ isOnce }) => !isOnce)
      for (const { listener } of current) {
        try {
          listener(payload)
        } catch (error) {
          // An error in the app's listener is reported and does not stop the other listeners.
          console.error(error)
        }
      }
    },
  }
}
