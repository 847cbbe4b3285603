import { createMultiMap } from '../runtime/multiMap.ts'

/** A message between processes: plain data, so that a bus can send it as JSON. */
export type BusMessage = { readonly [key: string]: string | number | boolean | null }

/** The subscription of a listener to a channel. */
export type BusSubscription = {
  /** Resolves when no later message is missed. `undefined` if that is so at once. */
  readonly ready: Promise<void> | undefined
  stop(): void
}

/** Messages between server processes. Every implementation passes `describeBus`. */
export type Bus = {
  /** True if there may be other processes. */
  readonly spansProcesses: boolean
  /** False while messages of other processes can't arrive. */
  isReachable(): boolean
  /** Calls every listener of the channel in every process, this one included. Nothing is stored. */
  publish(channel: string, message: BusMessage): void
  subscribe(channel: string, listener: (message: BusMessage) => void): BusSubscription
  /** Calls back whenever messages of other processes may have been missed. */
  onGap(listener: () => void): void
  close(): Promise<void>
}

/** The listeners of this process, by channel. */
export type BusListeners = {
  channels(): readonly string[]
  emit(channel: string, message: BusMessage): void
  /** Adds a listener; `isFirst` if the channel had none. */
  add(channel: string, listener: (message: BusMessage) => void): { isFirst: boolean }
  /** Removes a listener; `isLast` if the channel has none left. */
  remove(channel: string, listener: (message: BusMessage) => void): { isLast: boolean }
  clear(): void
}

/** Creates an empty list of listeners. */
export function createBusListeners(): BusListeners {
  const channels = createMultiMap<(message: BusMessage) => void>()

  return {
    channels: () => [...channels.keys()],
    emit(channel, message) {
      for (const listener of channels.get(channel)) listener(message)
    },
    add: (channel, listener) => ({ isFirst: channels.add(channel, listener) }),
    remove: (channel, listener) => ({ isLast: channels.remove(channel, listener) }),
    clear: channels.clear,
  }
}

/** Creates the bus of a server that runs as one process. */
export function createInProcessBus(): Bus {
  const listeners = createBusListeners()

  return {
    spansProcesses: false,
    isReachable: () => true,
    publish: listeners.emit,
    subscribe(channel, listener) {
      listeners.add(channel, listener)
      return { ready: undefined, stop: () => void listeners.remove(channel, listener) }
    },
    // Messages within a process are never lost.
    onGap: () => undefined,
    close: async () => listeners.clear(),
  }
}
