import type { Clock } from '../kit/clock.ts'
import type { Visitor } from './admit.ts'
import { attestOrigin, originToKeep } from './attestation.ts'
import type { RelayLimits } from './config.ts'
import { RelayError, storageFailed, mailboxFull } from './errors.ts'
import type { Hub } from './hub.ts'
import type { Mailbox, MessagePage, Publication, StoredMessage } from './mailbox.ts'
import type { Quotas } from './quotas.ts'
import { createSubscriptions } from './subscriptions.ts'
import type { RelayTap } from './tap.ts'
import type { Watches } from './watches/index.ts'

/** What the methods of one connection work with. */
export type Session = {
  readonly clientId: string
  readonly limits: RelayLimits
  readonly watches: Pick<Watches, 'identity' | 'register' | 'unregister'>
  /** Keeps a message; the answer carries what is to be announced once the publisher was told. */
  publish(publication: Omit<Publication, 'publisher' | 'origin'>): Promise<StoredMessage | undefined>
  announce(message: StoredMessage | undefined): void
  /** What the client is told of where a message comes from. */
  attest(message: StoredMessage): string
  /**
   * Listens on a topic. Asking twice is asking once.
   *
   * @returns the subscription's id, the same whenever this client asks for this topic
   * @throws RelayError when the connection listens on too many.
   */
  subscribe(topic: string): string
  /** Sends what waits on topics that were just subscribed, and from then on what is announced. */
  deliverWaiting(topics: readonly string[]): void
  /** Goes on with the topics on which sending had to stop. */
  resume(): void
  unsubscribe(topic: string): void
  isSubscribed(topic: string): boolean
  /** What waits on topics, which thereby counts as delivered. */
  fetch(topics: readonly string[]): Promise<MessagePage>
  /** Remembers that the client has a message. */
  acknowledge(topic: string, sequence: number): void
  /** Remembers that the client has those of some messages that wait for it on a topic; resolves once that is kept. */
  receive(topic: string, sequences: readonly number[]): Promise<void>
  /** The connection is gone: stops listening on everything. */
  end(): void
}

export type SessionParts = Visitor & {
  limits: RelayLimits
  quotas: Quotas
  mailbox: Mailbox
  hub: Hub
  tap: Required<RelayTap>
  watches: Session['watches']
  clock: Clock
  /** Sends a message of a subscription to the client; false when that has to wait for `resume`. */
  push(subscriptionId: string, message: StoredMessage): boolean
  onFault(error: unknown): void
}

/** How much of what waits is fetched at once, in characters: what is left is fetched by asking again. */
const fetchSize = 1024 * 1024

/** What one connected client listens on and has been sent. */
export function createSession(parts: SessionParts): Session {
  const { clientId, limits, quotas, mailbox, hub, tap, watches, clock, onFault } = parts
  const subscriptions = createSubscriptions(parts)

  async function take({ topic, sequence }: StoredMessage): Promise<void> {
    await mailbox.acknowledge(sequence, clientId)
    tap.delivered(topic, sequence, clientId)
  }

  return {
    clientId,
    limits,
    watches,
    async publish(publication) {
      quotas.publish(clientId, publication.topic)
      const origin = originToKeep(parts.origin, publication.tag)
      const stored = await mailbox.store({ ...publication, origin, publisher: clientId }).catch((error: unknown) => {
        onFault(error)
        throw storageFailed()
      })
      if (stored.outcome === 'full') throw mailboxFull()
      if (stored.outcome === 'repeat') {
        // The database may have kept the first attempt and not lived to say so: then nobody was told of it.
        hub.reportMissed([publication.topic])
        return undefined
      }
      tap.accepted(stored.message)
      return stored.message
    },
    announce: (message) => {
      if (message !== undefined) hub.announce(message)
    },
    attest(message) {
      return parts.wantsOrigins ? attestOrigin(message, watches.identity, clock.now()) : message.attestation
    },
    subscribe(topic) {
      if (subscriptions.has(topic)) return subscriptions.add(topic)
      if (subscriptions.size >= limits.subscriptionsPerSocket) {
        throw new RelayError(-32000, 'Internal error: too many subscriptions', 'SubscriberLimitExceeded')
      }
      quotas.subscribe(clientId)
      const id = subscriptions.add(topic)
      tap.subscribed(topic, clientId)
      return id
    },
    deliverWaiting: subscriptions.deliver,
    resume: subscriptions.resume,
    unsubscribe(topic) {
      if (!subscriptions.has(topic)) return
      subscriptions.remove(topic)
      quotas.unsubscribe(clientId, 1)
      tap.unsubscribed(topic, clientId)
    },
    isSubscribed: subscriptions.has,
    async fetch(asked) {
      const page = await readPage(mailbox, clientId, new Set(asked))
      await Promise.all(page.messages.map(take))
      return page
    },
    async receive(topic, sequences) {
      // Their numbers can be guessed: what does not wait for this client here is not its business.
      const received = new Set(sequences)
      const last = Math.max(...received)
      let after = Math.min(...received) - 1
      while (after < last) {
        const { messages } = await mailbox.undelivered(topic, clientId, after)
        await Promise.all(messages.filter(({ sequence }) => received.has(sequence)).map(take))
        after = messages.at(-1)?.sequence ?? last
      }
    },
    acknowledge(topic, sequence) {
      mailbox.acknowledge(sequence, clientId).catch(onFault)
      tap.delivered(topic, sequence, clientId)
    },
    end() {
      for (const topic of subscriptions.topics()) tap.left(topic, clientId)
      quotas.unsubscribe(clientId, subscriptions.size)
      subscriptions.clear()
    },
  }
}

/** What waits on topics, topic by topic, until it is enough for one answer. */
async function readPage(mailbox: Mailbox, clientId: string, topics: Iterable<string>): Promise<MessagePage> {
  const messages: StoredMessage[] = []
  let size = 0
  let hasMore = false
  for (const topic of topics) {
    const page = await mailbox.undelivered(topic, clientId, 0)
    messages.push(...page.messages)
    size += page.messages.reduce((sum, { message }) => sum + message.length, 0)
    hasMore ||= page.hasMore || size > fetchSize
    if (size > fetchSize) break
  }
  return { messages, hasMore }
}
