import type { Bus, BusMessage, BusSubscription } from '../../kit/bus/bus.ts'
import { createMultiMap, type MultiMap } from '../../kit/runtime/multiMap.ts'
import type { RelayMessage } from '../mailbox/mailbox.ts'
import { throttleByTopic } from './throttleByTopic.ts'
import { createTopicSequence } from './topicSequence.ts'

/** A subscriber of topics. */
export type Subscriber = {
  readonly clientId: string
  deliver(message: RelayMessage): void
  /** Messages on these topics may have been missed. The mailbox has them. */
  handleGap(topics: readonly string[]): void
  /** Messages on these topics may have other sequences than before, and may have been missed. */
  handleRenumbering(topics: readonly string[]): void
}

/** The subscribers of this process by topic. The bus reaches those of other processes. */
export type MessageBroker = {
  /** Subscribes to a topic. Resolves when no later message is missed; `undefined` if that is so at once. */
  subscribe(topic: string, subscriber: Subscriber): Promise<void> | undefined
  unsubscribe(topic: string, subscriber: Subscriber): void
  /**
   * Delivers a message to the subscribers of its topic in all processes, except to its publisher. Messages of one turn of
   * the event loop are delivered together at its end, in the order of their sequence.
   */
  broadcast(message: RelayMessage): void
  /** Tells the subscribers in this process that they may have missed messages. */
  notifyGap(topics: Iterable<string>): void
  /** Tells the subscribers of a topic in all processes that they may have missed messages, at most once a second. */
  announceGap(topic: string): void
  /** Tells the subscribers in this process that the messages of some topics may have other sequences than before. */
  notifyRenumbering(isAffected: (topic: string) => boolean): void
}

/** Topics are 64 characters long, so none has this channel. */
const gapChannel = 'relay/gaps'

/** Creates a broker without subscribers. */
export function createMessageBroker(bus: Bus): MessageBroker {
  const subscribers = createMultiMap<Subscriber>()
  /** The subscriptions of this process by topic. */
  const subscriptions = new Map<string, BusSubscription>()
  const sequence = createTopicSequence()
  let pending: RelayMessage[] = []
  bus.onGap(() => notifyGap([...subscriptions.keys()]))
  bus.subscribe(gapChannel, ({ topic }) => typeof topic === 'string' && notifyGap([topic]))

  /** Sorts, because chains of promises differ in length: the last message of a group may be broadcast first. */
  function flush(): void {
    const messages = pending.toSorted((one, other) => one.sequence - other.sequence)
    pending = []
    for (const message of messages) bus.publish(topicChannel(message.topic), message)
  }

  function deliver(topic: string, sent: BusMessage): void {
    // Only processes of this server publish on this channel, in the form of `flush`. Those of earlier releases leave out the topic.
    const message = (sent['topic'] === topic ? sent : { ...sent, topic }) as unknown as RelayMessage
    if (!sequence.add(message)) notifyGap([topic])
    for (const subscriber of subscribers.get(topic)) {
      if (subscriber.clientId !== message.publisher) subscriber.deliver(message)
    }
  }

  function notifyGap(affectedTopics: Iterable<string>): void {
    for (const [subscriber, own] of groupBySubscriber(subscribers, affectedTopics)) subscriber.handleGap(own)
  }

  return {
    subscribe(topic, subscriber) {
      subscribers.add(topic, subscriber)
      const existing = subscriptions.get(topic)
      if (existing !== undefined) return existing.ready
      const subscription = bus.subscribe(topicChannel(topic), (message) => deliver(topic, message))
      subscriptions.set(topic, subscription)
      return subscription.ready
    },
    unsubscribe(topic, subscriber) {
      if (!subscribers.remove(topic, subscriber)) return
      subscriptions.get(topic)?.stop()
      subscriptions.delete(topic)
      sequence.forget(topic)
    },
    broadcast(message) {
      if (pending.length === 0) setImmediate(flush)
      pending.push(message)
    },
    notifyGap,
    // Clients decide how often: each repeated publish leads to one.
    announceGap: throttleByTopic((topic) => bus.publish(gapChannel, { topic })),
    notifyRenumbering(isAffected) {
      const affected = [...subscriptions.keys()].filter(isAffected)
      affected.forEach(sequence.forget)
      for (const [subscriber, own] of groupBySubscriber(subscribers, affected)) subscriber.handleRenumbering(own)
    },
  }
}

function groupBySubscriber(
  subscribers: Pick<MultiMap<Subscriber>, 'get'>,
  topics: Iterable<string>,
): ReadonlyMap<Subscriber, readonly string[]> {
  const topicsOf = new Map<Subscriber, string[]>()
  for (const topic of topics) {
    for (const subscriber of subscribers.get(topic)) {
      const own = topicsOf.get(subscriber)
      if (own === undefined) topicsOf.set(subscriber, [topic])
      else own.push(topic)
    }
  }
  return topicsOf
}

function topicChannel(topic: string): string {
  return `relay/${topic}`
}
