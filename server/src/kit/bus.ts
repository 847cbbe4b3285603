/** What crosses processes: plain data, so that a bus may send it as JSON. */
export type BusMessage = { readonly [key: string]: string | number | boolean | null }

/** A listener's place at a channel. */
export type BusSubscription = {
  /** Settles when nothing that is published from then on is missed; at once where that is so already. */
  readonly ready: Promise<void> | undefined
  stop(): void
}

/** What server processes share beside the database. Every implementation passes `describeBus`. */
export type Bus = {
  /** Whether there may be other processes. */
  readonly spansProcesses: boolean
  /** Tells every listener of the channel, in every process, this one included. Nothing is kept. */
  publish(channel: string, message: BusMessage): void
  subscribe(channel: string, listener: (message: BusMessage) => void): BusSubscription
  /** Calls back whenever messages of other processes may have been missed. */
  onGap(listener: () => void): void
  close(): Promise<void>
}

/** Who listens at which channel in this process. */
export type BusListeners = {
  channels(): readonly string[]
  tell(channel: string, message: BusMessage): void
  /** Adds a listener; `isFirst` when the channel had none. */
  add(channel: string, listener: (message: BusMessage) => void): { isFirst: boolean }
  /** Takes a listener away; `isLast` when the channel has none left. */
  remove(channel: string, listener: (message: BusMessage) => void): { isLast: boolean }
  clear(): void
}

/** Makes an empty list of listeners. */
export function createBusListeners(): BusListeners {
  const channels = new Map<string, Set<(message: BusMessage) => void>>()

  return {
    channels: () => [...channels.keys()],
    tell(channel, message) {
      for (const listener of channels.get(channel) ?? []) listener(message)
    },
    add(channel, listener) {
      const known = channels.get(channel)
      if (known === undefined) channels.set(channel, new Set([listener]))
      else known.add(listener)
      return { isFirst: known === undefined }
    },
    remove(channel, listener) {
      const known = channels.get(channel)
      if (known?.delete(listener) !== true || known.size > 0) return { isLast: false }
      return { isLast: channels.delete(channel) }
    },
    clear: () => channels.clear(),
  }
}

/** The bus of a server that is one process. */
export function createInProcessBus(): Bus {
  const listeners = createBusListeners()

  return {
    spansProcesses: false,
    publish: listeners.tell,
    subscribe(channel, listener) {
      listeners.add(channel, listener)
      return { ready: undefined, stop: () => void listeners.remove(channel, listener) }
    },
    // There is no way on which anything could be lost.
    onGap: () => undefined,
    close: async () => listeners.clear(),
  }
}
