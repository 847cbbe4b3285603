import { createHash } from 'node:crypto'
import type { RelayLimits } from './config.ts'
import { RelayError, storageFailed, mailboxFull } from './errors.ts'
import type { Hub, Subscriber } from './hub.ts'
import type { Mailbox, Publication, StoredMessage } from './mailbox.ts'

/** What the methods of one connection work with. */
export type Session = {
  readonly clientId: string
  readonly limits: RelayLimits
  /** Keeps a message; the answer carries what is to be announced once the publisher was told. */
  publish(publication: Omit<Publication, 'publisher'>): Promise<StoredMessage | undefined>
  announce(message: StoredMessage | undefined): void
  /**
   * Listens on a topic. Asking twice is asking once.
   *
   * @returns the subscription's id, the same whenever this client asks for this topic
   * @throws RelayError when the connection listens on too many.
   */
  subscribe(topic: string): string
  /** Sends what waits on topics that were just subscribed. */
  deliverWaiting(topics: readonly string[]): void
  unsubscribe(topic: string): void
  /** What waits on topics, which thereby counts as delivered. */
  fetch(topics: readonly string[]): Promise<{ messages: readonly StoredMessage[]; hasMore: boolean }>
  acknowledge(message: StoredMessage): void
  /** Stops listening on everything. */
  end(): void
}

export type SessionParts = {
  clientId: string
  limits: RelayLimits
  mailbox: Mailbox
  hub: Hub
  /** Sends a message to the client; false when that has to wait. */
  push(message: StoredMessage): boolean
  onFault(error: unknown): void
}

/** How many stored messages are read at once. */
const pageSize = 100

type Drain = { again: boolean }

/** What one connected client listens on and has been sent. */
export function createSession({ clientId, limits, mailbox, hub, push, onFault }: SessionParts): Session {
  const topics = new Set<string>()
  /** Sequences sent on this connection, so that nothing is sent twice on it. */
  const sent = new Map<string, number>()
  const draining = new Map<string, Drain>()

  const subscriber: Subscriber = {
    clientId,
    receive(message) {
      const drain = draining.get(message.topic)
      // While older messages are on their way this one waits its turn.
      if (drain !== undefined) drain.again = true
      else if (message.sequence > (sent.get(message.topic) ?? 0)) deliver(message)
    },
  }

  function deliver(message: StoredMessage): boolean {
    if (!push(message)) {
      deliverWaiting([message.topic])
      return false
    }
    sent.set(message.topic, message.sequence)
    return true
  }

  function deliverWaiting(asked: readonly string[]): void {
    for (const topic of asked) {
      const drain = draining.get(topic)
      if (drain !== undefined) drain.again = true
      else drainTopic(topic).catch(onFault)
    }
  }

  async function drainTopic(topic: string): Promise<void> {
    const drain: Drain = { again: true }
    draining.set(topic, drain)
    try {
      while (drain.again && topics.has(topic)) {
        drain.again = false
        const waiting = await mailbox.undelivered(topic, clientId, sent.get(topic) ?? 0, pageSize)
        for (const message of waiting) {
          if (!topics.has(topic) || !push(message)) return
          sent.set(topic, message.sequence)
        }
        drain.again ||= waiting.length === pageSize
      }
    } finally {
      draining.delete(topic)
    }
  }

  return {
    clientId,
    limits,
    async publish(publication) {
      const stored = await mailbox.store({ ...publication, publisher: clientId }).catch((error: unknown) => {
        onFault(error)
        throw storageFailed()
      })
      if (stored.outcome === 'full') throw mailboxFull()
      return stored.outcome === 'stored' ? stored.message : undefined
    },
    announce: (message) => {
      if (message !== undefined) hub.announce(message)
    },
    subscribe(topic) {
      if (!topics.has(topic) && topics.size >= limits.subscriptionsPerSocket) {
        throw new RelayError(-32000, 'Internal error: too many subscriptions', 'SubscriberLimitExceeded')
      }
      topics.add(topic)
      hub.subscribe(topic, subscriber)
      return subscriptionId(topic, clientId)
    },
    deliverWaiting,
    unsubscribe(topic) {
      topics.delete(topic)
      sent.delete(topic)
      hub.unsubscribe(topic, subscriber)
    },
    async fetch(asked) {
      const pages = await Promise.all(asked.map((topic) => mailbox.undelivered(topic, clientId, 0, pageSize)))
      const messages = pages.flat()
      await Promise.all(messages.map(({ sequence }) => mailbox.acknowledge(sequence, clientId)))
      return { messages, hasMore: pages.some((page) => page.length === pageSize) }
    },
    acknowledge: ({ sequence }) => void mailbox.acknowledge(sequence, clientId).catch(onFault),
    end() {
      for (const topic of topics) hub.unsubscribe(topic, subscriber)
      topics.clear()
    },
  }
}

/** The id of a client's subscription: the one that clients work out for themselves. */
export function subscriptionId(topic: string, clientId: string): string {
  return createHash('sha256')
    .update(topic + clientId)
    .digest('hex')
}
