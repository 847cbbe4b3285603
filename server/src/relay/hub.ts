import type { Bus, BusMessage, BusSubscription } from '../kit/bus.ts'
import type { StoredMessage } from './mailbox.ts'

/** Somebody who listens on topics. */
export type Subscriber = {
  readonly clientId: string
  receive(message: StoredMessage): void
  /** Something may have been announced on these topics that did not arrive; the mailbox has it. */
  missed(topics: readonly string[]): void
}

/** Who listens on which topic in this process; other processes are reached over the bus. */
export type Hub = {
  /** Listens on a topic; settles when nothing that is announced from then on is missed, at once for `undefined`. */
  subscribe(topic: string, subscriber: Subscriber): Promise<void> | undefined
  unsubscribe(topic: string, subscriber: Subscriber): void
  /**
   * Tells the subscribers of a topic, wherever they are, except the publisher. Messages that are announced in one turn
   * of the event loop go out together at its end, in the order of their sequence.
   */
  announce(message: StoredMessage): void
  /** Tells those who listen here on some topics that something may have been missed. */
  reportMissed(topics: Iterable<string>): void
}

type Topic = { subscribers: Set<Subscriber>; heard: BusSubscription }

/** Makes the switchboard between publishers and subscribers. */
export function createHub(bus: Bus): Hub {
  const topics = new Map<string, Topic>()
  let announced: StoredMessage[] = []
  bus.onGap(() => reportMissed([...topics.keys()]))

  /** Chains of promises differ in length, so the last message of a group may be announced first. */
  function flush(): void {
    const messages = announced.toSorted((one, other) => one.sequence - other.sequence)
    announced = []
    for (const { topic, ...message } of messages) bus.publish(channelOf(topic), message)
  }

  function hear(topic: string, subscribers: ReadonlySet<Subscriber>, message: BusMessage): void {
    // Only our own processes speak on this channel, in the form below.
    const heard = { ...message, topic } as unknown as StoredMessage
    for (const subscriber of subscribers) if (subscriber.clientId !== heard.publisher) subscriber.receive(heard)
  }

  function reportMissed(asked: Iterable<string>): void {
    const affected = new Map<Subscriber, string[]>()
    for (const topic of asked) {
      for (const subscriber of topics.get(topic)?.subscribers ?? []) {
        const own = affected.get(subscriber)
        if (own === undefined) affected.set(subscriber, [topic])
        else own.push(topic)
      }
    }
    for (const [subscriber, own] of affected) subscriber.missed(own)
  }

  return {
    subscribe(topic, subscriber) {
      const known = topics.get(topic)
      if (known !== undefined) {
        known.subscribers.add(subscriber)
        return known.heard.ready
      }
      const subscribers = new Set([subscriber])
      const heard = bus.subscribe(channelOf(topic), (message) => hear(topic, subscribers, message))
      topics.set(topic, { subscribers, heard })
      return heard.ready
    },
    unsubscribe(topic, subscriber) {
      const known = topics.get(topic)
      known?.subscribers.delete(subscriber)
      if (known?.subscribers.size !== 0) return
      known.heard.stop()
      topics.delete(topic)
    },
    announce(message) {
      if (announced.length === 0) setImmediate(flush)
      announced.push(message)
    },
    reportMissed,
  }
}

function channelOf(topic: string): string {
  return `relay/${topic}`
}
