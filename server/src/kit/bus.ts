import type { Clock } from './clock.ts'

/** What crosses processes: plain data, so that a bus may send it as JSON. */
export type BusMessage = { readonly [key: string]: string | number | boolean | null }

/** What server processes share beside the database: fan-out, and counters that expire. */
export type Bus = {
  /** Tells every listener of the channel, in every process, this one included. At most once; nothing is kept. */
  publish(channel: string, message: BusMessage): void
  /** Listens to a channel; the answer ends it. */
  subscribe(channel: string, listener: (message: BusMessage) => void): () => void
  /** Adds one to a counter that starts at 0 and ends `ttl` milliseconds after its first count; answers the new count. */
  count(key: string, ttl: number): Promise<number>
  close(): Promise<void>
}

/** Counters are looked through for ended ones whenever this many more have been made. */
const countersPerCleaning = 10_000

/** The bus of a server that is one process. */
export function createInProcessBus({ clock }: { clock: Clock }): Bus {
  const listeners = new Map<string, Set<(message: BusMessage) => void>>()
  const counters = new Map<string, { count: number; endsAt: number }>()
  let cleanAt = countersPerCleaning

  function clean(now: number): void {
    for (const [key, { endsAt }] of counters) if (endsAt <= now) counters.delete(key)
    cleanAt = counters.size + countersPerCleaning
  }

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
    count: async (key, ttl) => {
      const now = clock.now()
      if (counters.size >= cleanAt) clean(now)
      const known = counters.get(key)
      const counter = known !== undefined && known.endsAt > now ? known : { count: 0, endsAt: now + ttl }
      counter.count += 1
      counters.set(key, counter)
      return counter.count
    },
    close: async () => {
      listeners.clear()
      counters.clear()
    },
  }
}
