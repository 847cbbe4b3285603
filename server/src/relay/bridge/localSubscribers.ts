import type { Clock } from '../../kit/runtime/clock.ts'
import type { RelayObserver } from '../relayObserver.ts'

/** The subscribers of this relay: a topic is wanted while it has at least one. */
export type LocalSubscribers = Required<Pick<RelayObserver, 'subscribed' | 'unsubscribed' | 'disconnected'>> & {
  /** Removes a client and ignores it from now on. */
  ignore(clientId: string): void
  /** Removes subscribers that have been disconnected for too long. */
  sweep(): void
}

export type LocalSubscribersDependencies = {
  clock: Clock
  /** Time for which a disconnected subscriber still counts, in milliseconds. */
  linger: number
  wanted(topic: string): void
  unwanted(topic: string): void
}

/** The subscribed connections of a client, and the time of the last disconnect. */
type LocalSubscriber = { connections: number; awaySince: number }

/**
 * Counts subscribers. A client that unsubscribes is removed at once. A client that disconnects is expected back for a
 * while, so that its messages are fetched and stored here in the meantime.
 */
export function createLocalSubscribers({
  clock,
  linger,
  wanted,
  unwanted,
}: LocalSubscribersDependencies): LocalSubscribers {
  const topics = new Map<string, Map<string, LocalSubscriber>>()
  const ignored = new Set<string>()

  function leave(topic: string, clientId: string): LocalSubscriber | undefined {
    const subscriber = topics.get(topic)?.get(clientId)
    if (subscriber === undefined) return undefined
    subscriber.connections -= 1
    subscriber.awaySince = clock.now()
    return subscriber
  }

  function forget(topic: string, clientId: string): void {
    const subscribers = topics.get(topic)
    if (subscribers?.delete(clientId) !== true || subscribers.size > 0) return
    topics.delete(topic)
    unwanted(topic)
  }

  return {
    subscribed(topic, clientId) {
      if (ignored.has(clientId)) return
      const subscribers = topics.get(topic) ?? new Map<string, LocalSubscriber>()
      const subscriber = subscribers.get(clientId) ?? { connections: 0, awaySince: 0 }
      subscriber.connections += 1
      subscribers.set(clientId, subscriber)
      if (topics.has(topic)) return
      topics.set(topic, subscribers)
      wanted(topic)
    },
    unsubscribed(topic, clientId) {
      if (leave(topic, clientId)?.connections === 0) forget(topic, clientId)
    },
    disconnected(topic, clientId) {
      leave(topic, clientId)
    },
    ignore(clientId) {
      ignored.add(clientId)
      for (const topic of topics.keys()) forget(topic, clientId)
    },
    sweep() {
      const latest = clock.now() - linger
      for (const [topic, subscribers] of topics) {
        for (const [clientId, { connections, awaySince }] of subscribers) {
          if (connections === 0 && awaySince <= latest) forget(topic, clientId)
        }
      }
    },
  }
}
