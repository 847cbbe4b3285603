import type { EndReason } from '@latchkey/core'
import type { SessionListener } from './dapp.ts'

/** The listeners of each session. */
export type SessionListeners = {
  /** Adds a listener. Returns a function that removes it. */
  add(topic: string, listener: SessionListener): () => void
  /** Calls each listener of a session. */
  notify(topic: string, call: (listener: SessionListener) => void): void
  /** Reports the end of a session and removes its listeners. */
  end(topic: string, reason: EndReason): void
  removeAll(topic: string): void
}

/** Creates an empty set of listeners. */
export function createSessionListeners(): SessionListeners {
  const listeners = new Map<string, Set<SessionListener>>()

  function notify(topic: string, call: (listener: SessionListener) => void): void {
    for (const listener of listeners.get(topic) ?? []) call(listener)
  }

  return {
    add(topic, listener) {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known.add(listener))
      return () => known.delete(listener)
    },
    notify,
    end(topic, reason) {
      notify(topic, (listener) => listener.ended(reason))
      listeners.delete(topic)
    },
    removeAll: (topic) => void listeners.delete(topic),
  }
}
