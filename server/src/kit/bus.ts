/** What crosses processes: plain data, so that a bus may send it as JSON. */
export type BusMessage = { readonly [key: string]: string | number | boolean | null }

/** What server processes share beside the database. */
export type Bus = {
  /** Tells every listener of the channel, in every process, this one included. At most once; nothing is kept. */
  publish(channel: string, message: BusMessage): void
  /** Listens to a channel; the answer ends it. */
  subscribe(channel: string, listener: (message: BusMessage) => void): () => void
  close(): Promise<void>
}

/** The bus of a server that is one process. */
export function createInProcessBus(): Bus {
  const listeners = new Map<string, Set<(message: BusMessage) => void>>()

  return {
    publish: (channel, message) => {
      for (const listener of listeners.get(channel) ?? []) listener(message)
    },
    subscribe: (channel, listener) => {
      const ofChannel = listeners.get(channel) ?? new Set()
      listeners.set(channel, ofChannel.add(listener))
      return () => {
        ofChannel.delete(listener)
        if (ofChannel.size === 0 && listeners.get(channel) === ofChannel) listeners.delete(channel)
      }
    },
    close: async () => listeners.clear(),
  }
}
