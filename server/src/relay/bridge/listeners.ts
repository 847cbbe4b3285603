import type { Clock } from '../../kit/clock.ts'
import type { RelayTap } from '../tap.ts'

/** Who listens here on what: a topic counts from its first listener until nobody wants it any more. */
export type Listeners = Required<Pick<RelayTap, 'subscribed' | 'unsubscribed' | 'left'>> & {
  /** Forgets a client and takes no notice of it from now on. */
  ignore(clientId: string): void
  /** Lets go of topics whose listeners have been away for too long. */
  sweep(): void
}

export type ListenersParts = {
  clock: Clock
  /** How long a listener whose connection is gone counts, in milliseconds. */
  linger: number
  wanted(topic: string): void
  unwanted(topic: string): void
}

/** How many connections of a client listen, and since when there is none. */
type Listener = { connections: number; awaySince: number }

/**
 * Counts listeners. One that says that it stops is gone at once; one whose connection broke is expected back for a
 * while, so that what comes for it meanwhile is kept here.
 */
export function createListeners({ clock, linger, wanted, unwanted }: ListenersParts): Listeners {
  const topics = new Map<string, Map<string, Listener>>()
  const ignored = new Set<string>()

  function leave(topic: string, clientId: string): Listener | undefined {
    const listener = topics.get(topic)?.get(clientId)
    if (listener === undefined) return undefined
    listener.connections -= 1
    listener.awaySince = clock.now()
    return listener
  }

  function forget(topic: string, clientId: string): void {
    const listeners = topics.get(topic)
    if (listeners?.delete(clientId) !== true || listeners.size > 0) return
    topics.delete(topic)
    unwanted(topic)
  }

  return {
    subscribed(topic, clientId) {
      if (ignored.has(clientId)) return
      const listeners = topics.get(topic) ?? new Map<string, Listener>()
      const listener = listeners.get(clientId) ?? { connections: 0, awaySince: 0 }
      listener.connections += 1
      listeners.set(clientId, listener)
      if (topics.has(topic)) return
      topics.set(topic, listeners)
      wanted(topic)
    },
    unsubscribed(topic, clientId) {
      if (leave(topic, clientId)?.connections === 0) forget(topic, clientId)
    },
    left(topic, clientId) {
      leave(topic, clientId)
    },
    ignore(clientId) {
      ignored.add(clientId)
      for (const topic of topics.keys()) forget(topic, clientId)
    },
    sweep() {
      const latest = clock.now() - linger
      for (const [topic, listeners] of topics) {
        for (const [clientId, { connections, awaySince }] of listeners) {
          if (connections === 0 && awaySince <= latest) forget(topic, clientId)
        }
      }
    },
  }
}
