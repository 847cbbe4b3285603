import type { Clock } from '../../kit/runtime/clock.ts'
import type { Mailbox, Receipt, RelayMessage } from '../mailbox/mailbox.ts'
import { keepArrived, takeArrived, type ArrivedMessages } from './arrivedMessages.ts'
import { createCatchUp } from './catchUp.ts'
import type { RelayMetrics } from '../relayMetrics.ts'
import type { MessageBroker, Subscriber } from './messageBroker.ts'
import { hasSequence, removeSequence } from './sentSequences.ts'
import {
  createSubscription,
  forgetSequences,
  recordSent,
  rereadFromSequence,
  type Subscription,
} from './subscription.ts'

/** The subscriptions of one connection. */
export type Subscriptions = {
  /** A method, because an object with a getter takes 350 bytes more. */
  count(): number
  has(topic: string): boolean
  topics(): Iterable<string>
  /** Subscribes to a topic. @returns the id, which is always the same for this client and topic */
  add(topic: string): string
  remove(topic: string): void
  /** Sends the undelivered messages of topics, then broadcast messages. */
  deliver(topics: readonly string[]): void
  /** Sends messages again that are still undelivered. */
  redeliver(messages: readonly Receipt[]): void
  /** Continues with the topics whose delivery had to stop. */
  resume(): void
  clear(): void
}

export type SubscriptionsDependencies = {
  clientId: string
  mailbox: Mailbox
  clock: Clock
  broker: MessageBroker
  /** Sends a message of a subscription to the client. Returns false if it must wait for `resume`. */
  push(subscriptionId: string, message: RelayMessage): boolean
  /** Forgets sent messages of topics, whose sequences may name other messages now. They are sent again. */
  forgetSent(topics: ReadonlySet<string>): void
  metrics: Pick<RelayMetrics, 'countLiveDelivery'>
  onFault(error: unknown): void
}

/** Creates an empty set of subscriptions. */
export function createSubscriptions(dependencies: SubscriptionsDependencies): Subscriptions {
  const { clientId, broker } = dependencies
  const subscriptions = new Map<string, Subscription>()
  const delivery = createDelivery(dependencies, subscriptions)

  return {
    count: () => subscriptions.size,
    has: (topic) => subscriptions.has(topic),
    topics: () => subscriptions.keys(),
    add(topic) {
      const existing = subscriptions.get(topic)
      if (existing !== undefined) return existing.id
      const subscription = createSubscription(topic, clientId, broker.subscribe(topic, delivery.subscriber))
      subscriptions.set(topic, subscription)
      return subscription.id
    },
    remove(topic) {
      const subscription = subscriptions.get(topic)
      if (subscription === undefined) return
      subscriptions.delete(topic)
      delivery.forget(subscription)
      broker.unsubscribe(topic, delivery.subscriber)
    },
    deliver: delivery.deliver,
    redeliver: delivery.redeliver,
    resume: delivery.resume,
    clear() {
      for (const [topic, subscription] of subscriptions) {
        delivery.forget(subscription)
        broker.unsubscribe(topic, delivery.subscriber)
      }
      subscriptions.clear()
    },
  }
}

type Delivery = Pick<Subscriptions, 'deliver' | 'redeliver' | 'resume'> & {
  readonly subscriber: Subscriber
  forget(subscription: Subscription): void
}

/** Delivers messages to the subscriptions of a connection, from the mailbox and from the broker. */
function createDelivery(
  { clientId, mailbox, clock, push, forgetSent, metrics, onFault }: SubscriptionsDependencies,
  subscriptions: ReadonlyMap<string, Subscription>,
): Delivery {
  /** Created for the first one, because an empty set takes 200 bytes. */
  let stopped: Set<Subscription> | undefined
  const arrived: ArrivedMessages = { messages: [] }
  const isCurrent = (subscription: Subscription): boolean => subscriptions.get(subscription.topic) === subscription

  function send(subscription: Subscription, message: RelayMessage): boolean {
    if (subscription.sent !== undefined && hasSequence(subscription.sent, message.sequence)) return true
    if (push(subscription.id, message)) {
      recordSent(subscription, message.sequence)
      return true
    }
    rereadFromSequence(subscription, message.sequence)
    stop(subscription)
    return false
  }

  function sendLive(subscription: Subscription, message: RelayMessage): void {
    if (send(subscription, message)) metrics.countLiveDelivery(clock.now() - message.publishedAt)
  }

  function stop(subscription: Subscription): void {
    subscription.state = 'stopped'
    // From now on messages wait in the mailbox, because the client may never go on.
    takeArrived(arrived, subscription.topic)
    stopped ??= new Set()
    stopped.add(subscription)
  }

  function deliver(topics: readonly string[]): void {
    const idle = topics.flatMap((topic) => beginCatchUp(subscriptions.get(topic)))
    for (const subscription of idle) stopped?.delete(subscription)
    if (idle.length === 0) return
    // Created when it is needed, because its functions would take 400 bytes of each idle connection.
    const catchUp = createCatchUp({ clientId, mailbox, clock, arrived, isCurrent, send })
    catchUp(idle).catch((error: unknown) => {
      for (const subscription of idle) {
        if (subscription.state === 'catching up' && isCurrent(subscription)) stop(subscription)
      }
      onFault(error)
    })
  }

  return {
    subscriber: createSubscriber(clientId, subscriptions, { arrived, sendLive, deliver, forgetSent }),
    deliver,
    redeliver: (messages) => deliver(markUnsent(subscriptions, messages)),
    resume() {
      if (stopped !== undefined && stopped.size > 0) deliver([...stopped].map(({ topic }) => topic))
    },
    forget(subscription) {
      stopped?.delete(subscription)
      takeArrived(arrived, subscription.topic)
    },
  }
}

/** Makes a subscription catch up. Returns it unless it is catching up already, and then reads the mailbox again. */
function beginCatchUp(subscription: Subscription | undefined): readonly Subscription[] {
  if (subscription?.state === 'catching up') rereadFromSequence(subscription, subscription.readUpTo + 1)
  if (subscription === undefined || subscription.state === 'catching up') return []
  subscription.state = 'catching up'
  return [subscription]
}

/**
 * Makes the next catch-up of the affected subscriptions send these messages again.
 *
 * @returns the topics whose subscriptions are live. The others read the mailbox anyway.
 */
function markUnsent(subscriptions: ReadonlyMap<string, Subscription>, messages: readonly Receipt[]): readonly string[] {
  const live = new Set<string>()
  for (const { topic, sequence } of messages) {
    const subscription = subscriptions.get(topic)
    if (subscription === undefined) continue
    if (subscription.sent !== undefined) removeSequence(subscription.sent, sequence)
    rereadFromSequence(subscription, sequence)
    if (subscription.state === 'live') live.add(topic)
  }
  return [...live]
}

/** Receives broadcast messages for the subscriptions of a connection. */
function createSubscriber(
  clientId: string,
  subscriptions: ReadonlyMap<string, Subscription>,
  {
    arrived,
    sendLive,
    deliver,
    forgetSent,
  }: {
    arrived: ArrivedMessages
    sendLive(subscription: Subscription, message: RelayMessage): void
    deliver(topics: readonly string[]): void
    forgetSent(topics: ReadonlySet<string>): void
  },
): Subscriber {
  function handleGap(topics: readonly string[]): void {
    const affected = topics.flatMap((topic) => subscriptions.get(topic) ?? [])
    const live = affected.filter(({ state }) => state === 'live')
    for (const subscription of affected) rereadFromSequence(subscription, 0)
    deliver(live.map(({ topic }) => topic))
  }

  return {
    clientId,
    deliver(message) {
      const subscription = subscriptions.get(message.topic)
      if (subscription === undefined) return
      if (subscription.state === 'live') return sendLive(subscription, message)
      rereadFromSequence(subscription, message.sequence)
      if (subscription.state !== 'stopped') keepArrived(arrived, message)
    },
    handleGap,
    handleRenumbering(topics) {
      for (const topic of topics) {
        takeArrived(arrived, topic)
        const subscription = subscriptions.get(topic)
        if (subscription !== undefined) forgetSequences(subscription)
      }
      forgetSent(new Set(topics))
      handleGap(topics)
    },
  }
}
