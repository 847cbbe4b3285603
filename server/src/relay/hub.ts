import type { Bus, BusMessage } from '../kit/bus.ts'
import type { StoredMessage } from './mailbox.ts'

/** Somebody who listens on a topic. */
export type Subscriber = { readonly clientId: string; receive(message: StoredMessage): void }

/** Who listens on which topic in this process; other processes are reached over the bus. */
export type Hub = {
  subscribe(topic: string, subscriber: Subscriber): void
  unsubscribe(topic: string, subscriber: Subscriber): void
  /**
   * Tells the subscribers of a topic, wherever they are, except the publisher. Messages that are announced in one turn
   * of the event loop go out together at its end, in the order of their sequence.
   */
  announce(message: StoredMessage): void
}

type Topic = { subscribers: Set<Subscriber>; stop: () => void }

/** Makes the switchboard between publishers and subscribers. */
export function createHub(bus: Bus): Hub {
  const topics = new Map<string, Topic>()
  let announced: StoredMessage[] = []

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

  return {
    subscribe(topic, subscriber) {
      const known = topics.get(topic)
      if (known !== undefined) return void known.subscribers.add(subscriber)
      const subscribers = new Set([subscriber])
      const stop = bus.subscribe(channelOf(topic), (message) => hear(topic, subscribers, message))
      topics.set(topic, { subscribers, stop })
    },
    unsubscribe(topic, subscriber) {
      const known = topics.get(topic)
      known?.subscribers.delete(subscriber)
      if (known?.subscribers.size !== 0) return
      known.stop()
      topics.delete(topic)
    },
    announce(message) {
      if (announced.length === 0) setImmediate(flush)
      announced.push(message)
    },
  }
}

function channelOf(topic: string): string {
  return `relay/${topic}`
}
