import type { Clock } from '../../kit/runtime/clock.ts'
import type { RelayLimits } from '../relayVariables.ts'
import type { MessageBroker } from '../delivery/messageBroker.ts'
import { createSubscriptions, type Subscriptions } from '../delivery/subscriptions.ts'
import { RelayError, storageFailed, mailboxFull } from '../errors.ts'
import type { ClientQuotas } from '../limits/clientQuotas.ts'
import type { StorageCeilings } from '../limits/storageCeilings.ts'
import type { Mailbox, MessagePage, NewRelayMessage, Receipt, RelayMessage } from '../mailbox/mailbox.ts'
import type { RelayMetrics } from '../relayMetrics.ts'
import type { RelayObserver } from '../relayObserver.ts'
import type { Watches } from '../watches/watches.ts'
import { attestOrigin, originToStore } from './attestOrigin.ts'
import type { RelayClient } from './authorizeConnection.ts'

/** A message as a client sends it. The publisher and its origin are known from the connection. */
export type PublishedMessage = Omit<NewRelayMessage, 'publisher' | 'origin'> & {
  /** True if the publisher requests a push notification for the receivers. */
  isPrompt: boolean
}

/** The operations of one connected client. */
export type ClientSession = {
  readonly clientId: string
  readonly limits: RelayLimits
  readonly watches: Pick<Watches, 'identity' | 'register' | 'unregister'>
  /** Stores a message. @returns the message to broadcast once the publisher has its response */
  publish(message: PublishedMessage): Promise<RelayMessage | undefined>
  broadcast(message: RelayMessage | undefined): void
  /** Gets the attestation of a message's origin for this client. */
  attest(message: RelayMessage): string
  /**
   * Subscribes to a topic. Idempotent.
   *
   * @returns the subscription's id, which is always the same for this client and topic
   * @throws RelayError if the connection has too many subscriptions
   */
  subscribe(topic: string): string
  /** Sends the undelivered messages of new subscriptions, then broadcast messages. */
  deliverUndelivered(topics: readonly string[]): void
  /** Sends messages again that are still undelivered. */
  redeliver(messages: readonly Receipt[]): void
  /** Continues with the topics whose delivery had to stop. */
  resume(): void
  unsubscribe(topic: string): void
  isSubscribed(topic: string): boolean
  /** Charges the items of a batch request. @throws RelayError if there are too many */
  checkItems(items: number): void
  /** Gets the undelivered messages of topics. The client has them only when it has the response. */
  fetchUndelivered(topics: readonly string[]): Promise<MessagePage>
  /** Acknowledges a message. */
  acknowledge(receipt: Receipt): void
  /** Acknowledges those of the messages that are undelivered. Resolves when that is written. */
  acknowledgeAll(receipts: readonly Receipt[]): Promise<void>
  /** Ends all subscriptions, because the connection has ended. */
  end(): void
}

export type ClientSessionDependencies = RelayClient & {
  limits: RelayLimits
  quotas: ClientQuotas
  ceilings: Pick<StorageCeilings, 'reserve'>
  mailbox: Mailbox
  broker: MessageBroker
  observer: Required<RelayObserver>
  metrics: RelayMetrics
  watches: ClientSession['watches']
  clock: Clock
  /** Sends a message of a subscription to the client. Returns false if it must wait for `resume`. */
  push(subscriptionId: string, message: RelayMessage): boolean
  /** Forgets sent messages of topics, whose sequences may name other messages now. */
  forgetSent(topics: ReadonlySet<string>): void
  onFault(error: unknown): void
}

/** The dependencies of publishing. */
type Publishing = Pick<
  ClientSessionDependencies,
  'clientId' | 'source' | 'origin' | 'quotas' | 'ceilings' | 'mailbox' | 'broker' | 'observer' | 'metrics' | 'onFault'
>

/**
 * Creates the session of one connected client. Objects are written out and not spread: an engine stores a spread one as a hash
 * table, which takes five times the memory, and most sessions are idle.
 */
export function createClientSession(dependencies: ClientSessionDependencies): ClientSession {
  const { clientId, source, origin, wantsOriginAttestations, limits, quotas, broker, watches, clock } = dependencies
  const { ceilings, mailbox, observer, metrics, onFault } = dependencies
  const publishing = { clientId, source, origin, quotas, ceilings, mailbox, broker, observer, metrics, onFault }
  const subscriptions = createSubscriptions(dependencies)
  const { subscribe, unsubscribe, end } = createSubscriptionMethods(dependencies, subscriptions)
  const { fetchUndelivered, acknowledge, acknowledgeAll } = createAcknowledgementMethods(dependencies)

  return {
    clientId,
    limits,
    watches,
    publish: (message) => publish(publishing, message),
    broadcast(message) {
      if (message !== undefined) broker.broadcast(message)
    },
    attest: (message) =>
      wantsOriginAttestations ? attestOrigin(message, watches.identity, clock.now()) : message.attestation,
    subscribe,
    unsubscribe,
    end,
    deliverUndelivered: subscriptions.deliver,
    redeliver: subscriptions.redeliver,
    resume: subscriptions.resume,
    isSubscribed: subscriptions.has,
    checkItems: (items) => quotas.checkItems(clientId, items),
    fetchUndelivered,
    acknowledge,
    acknowledgeAll,
  }
}

async function publish(dependencies: Publishing, published: PublishedMessage): Promise<RelayMessage | undefined> {
  const { mailbox, broker, observer, metrics, onFault } = dependencies
  const startedAt = performance.now()
  const release = reserve(dependencies, published)
  const newMessage = toNewMessage(dependencies, published)
  const stored = await mailbox.store(newMessage).catch((error: unknown) => {
    release()
    metrics.countRefusedMessage(error)
    onFault(error)
    throw storageFailed()
  })
  metrics.countMessage(stored.outcome, performance.now() - startedAt)
  if (stored.outcome !== 'stored') release()
  if (stored.outcome === 'full') throw mailboxFull()
  if (stored.outcome === 'duplicate') {
    // The store may have the first attempt without having confirmed it, so that no process has broadcast it.
    broker.announceGap(published.topic)
    return undefined
  }
  observer.messageStored(stored.message, published.isPrompt)
  return stored.message
}

/** Written out, because a spread of a message costs as much as parsing it. */
function toNewMessage(
  { clientId, origin }: Publishing,
  { topic, message, ttl, tag, attestation }: PublishedMessage,
): NewRelayMessage {
  return { topic, message, ttl, tag, attestation, origin: originToStore(origin, tag), publisher: clientId }
}

/** Charges a message to the limits of its publisher. Returns a function that releases its bytes. */
function reserve(
  { clientId, source, quotas, ceilings, metrics }: Publishing,
  { topic, message, attestation, ttl }: Omit<PublishedMessage, 'isPrompt'>,
): () => void {
  try {
    quotas.checkPublish(clientId, topic)
    return ceilings.reserve(source, Buffer.byteLength(message) + Buffer.byteLength(attestation), ttl)
  } catch (error) {
    metrics.countRefusedMessage(error)
    throw error
  }
}

function createSubscriptionMethods(
  { clientId, source, limits, quotas, observer }: ClientSessionDependencies,
  subscriptions: Subscriptions,
): Pick<ClientSession, 'subscribe' | 'unsubscribe' | 'end'> {
  const subscriber = { clientId, address: source.address }

  return {
    subscribe(topic) {
      if (subscriptions.has(topic)) return subscriptions.add(topic)
      if (subscriptions.count() >= limits.subscriptionsPerSocket) {
        throw new RelayError(-32000, 'Internal error: too many subscriptions', 'SubscriberLimitExceeded')
      }
      quotas.addSubscription(subscriber)
      const id = subscriptions.add(topic)
      observer.subscribed(topic, clientId)
      return id
    },
    unsubscribe(topic) {
      if (!subscriptions.has(topic)) return
      subscriptions.remove(topic)
      quotas.removeSubscriptions(subscriber, 1)
      observer.unsubscribed(topic, clientId)
    },
    end() {
      for (const topic of subscriptions.topics()) observer.disconnected(topic, clientId)
      quotas.removeSubscriptions(subscriber, subscriptions.count())
      subscriptions.clear()
    },
  }
}

function ignore(): void {}

function createAcknowledgementMethods({
  clientId,
  mailbox,
  observer,
  metrics,
  onFault,
}: ClientSessionDependencies): Pick<ClientSession, 'fetchUndelivered' | 'acknowledge' | 'acknowledgeAll'> {
  let lastFetch: Promise<unknown> = Promise.resolve()

  return {
    fetchUndelivered(topics) {
      // One page at a time, because a page may have a megabyte and a client may send many requests at once.
      const fetched = lastFetch.then(() => mailbox.listUndeliveredOnTopics([...new Set(topics)], clientId))
      // Without its page, which would stay in memory as long as the connection.
      lastFetch = fetched.then(ignore, ignore)
      return fetched
    },
    acknowledge(receipt) {
      metrics.countAcknowledgement()
      mailbox.acknowledge(receipt, clientId).catch(onFault)
      observer.messageDelivered(receipt.topic, receipt.sequence, clientId)
    },
    async acknowledgeAll(receipts) {
      // Sequences can be guessed: only those of undelivered messages of this client count.
      const undelivered = await mailbox.filterUndelivered(receipts, clientId)
      await Promise.all(undelivered.map((receipt) => mailbox.acknowledge(receipt, clientId)))
      for (const { topic, sequence } of undelivered) {
        metrics.countAcknowledgement()
        observer.messageDelivered(topic, sequence, clientId)
      }
    },
  }
}
