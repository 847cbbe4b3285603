import { createCatchUp } from './catchUp.ts'
import type { Hub, Subscriber } from './hub.ts'
import type { Mailbox, StoredMessage } from './mailbox.ts'
import { createSubscription, lookAgain, noteSent, type Subscription } from './subscription.ts'

/** What one connection listens on, and has been sent of it. */
export type Subscriptions = {
  readonly size: number
  has(topic: string): boolean
  topics(): Iterable<string>
  /** Listens on a topic, and tells the id of that: the same whenever this client asks for this topic. */
  add(topic: string): string
  remove(topic: string): void
  /** Sends what waits on topics, and from then on what is announced. */
  deliver(topics: readonly string[]): void
  /** Goes on with the topics on which sending had to stop. */
  resume(): void
  /** Stops listening on everything. */
  clear(): void
}

export type SubscriptionsParts = {
  clientId: string
  mailbox: Mailbox
  hub: Hub
  /** Sends a message of a subscription to the client; false when that has to wait for `resume`. */
  push(subscriptionId: string, message: StoredMessage): boolean
  onFault(error: unknown): void
}

/** Makes what a connection listens on: nothing yet. */
export function createSubscriptions({ clientId, mailbox, hub, push, onFault }: SubscriptionsParts): Subscriptions {
  const subscriptions = new Map<string, Subscription>()
  const stopped = new Set<Subscription>()
  const catchUp = createCatchUp({ clientId, mailbox, isCurrent, send })

  const subscriber: Subscriber = {
    clientId,
    receive(message) {
      const subscription = subscriptions.get(message.topic)
      if (subscription === undefined) return
      if (subscription.state === 'level') send(subscription, message)
      else lookAgain(subscription, message.sequence)
    },
    missed(topics) {
      const affected = topics.filter((topic) => subscriptions.get(topic)?.state === 'level')
      for (const topic of topics) {
        const subscription = subscriptions.get(topic)
        if (subscription !== undefined) lookAgain(subscription, 0)
      }
      deliver(affected)
    },
  }

  function send(subscription: Subscription, message: StoredMessage): boolean {
    if (subscription.sent?.has(message.sequence) === true) return true
    if (push(subscription.id, message)) {
      noteSent(subscription, message.sequence)
      return true
    }
    lookAgain(subscription, message.sequence)
    stop(subscription)
    return false
  }

  function stop(subscription: Subscription): void {
    subscription.state = 'stopped'
    stopped.add(subscription)
  }

  function isCurrent(subscription: Subscription): boolean {
    return subscriptions.get(subscription.topic) === subscription
  }

  function deliver(topics: readonly string[]): void {
    const idle: Subscription[] = []
    for (const topic of topics) {
      const subscription = subscriptions.get(topic)
      if (subscription?.state === 'catching up') lookAgain(subscription, subscription.read + 1)
      else if (subscription !== undefined) {
        stopped.delete(subscription)
        subscription.state = 'catching up'
        idle.push(subscription)
      }
    }
    catchUp(idle).catch((error: unknown) => {
      for (const subscription of idle) {
        if (subscription.state === 'catching up' && isCurrent(subscription)) stop(subscription)
      }
      onFault(error)
    })
  }

  return {
    get size() {
      return subscriptions.size
    },
    has: (topic) => subscriptions.has(topic),
    topics: () => subscriptions.keys(),
    add(topic) {
      const known = subscriptions.get(topic)
      if (known !== undefined) return known.id
      const subscription = createSubscription(topic, clientId, hub.subscribe(topic, subscriber))
      subscriptions.set(topic, subscription)
      return subscription.id
    },
    remove(topic) {
      const subscription = subscriptions.get(topic)
      if (subscription === undefined) return
      subscriptions.delete(topic)
      stopped.delete(subscription)
      hub.unsubscribe(topic, subscriber)
    },
    deliver,
    resume() {
      if (stopped.size > 0) deliver([...stopped].map(({ topic }) => topic))
    },
    clear() {
      for (const topic of subscriptions.keys()) hub.unsubscribe(topic, subscriber)
      subscriptions.clear()
      stopped.clear()
    },
  }
}
