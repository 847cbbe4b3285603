import { createHash } from 'node:crypto'
import type { Hub, Subscriber } from './hub.ts'
import type { Mailbox, StoredMessage } from './mailbox.ts'

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

/**
 * What one connection has of a topic. It is `new` until its answer is sent, `level` when everything stored was sent,
 * and `stopped` when the client or the database could not go on. Only a level one is sent what is announced: the others
 * find that in the mailbox, in its order.
 */
type Subscription = {
  readonly id: string
  readonly topic: string
  /** Settles when nothing that other processes announce is missed any more. */
  heard: Promise<void> | undefined
  state: 'new' | 'catching up' | 'level' | 'stopped'
  /** Everything in the mailbox up to this sequence has been looked at. */
  read: number
  /** The lowest sequence that is to be looked at again. */
  missed: number | undefined
  /** The sequences sent last. Processes store side by side, so that a later one may be announced first. */
  recent: Set<number> | undefined
}

/** How many sequences are remembered as sent; a message that comes twice all the same is dropped by the client. */
const remembered = 128

/** Makes what a connection listens on: nothing yet. */
export function createSubscriptions({ clientId, mailbox, hub, push, onFault }: SubscriptionsParts): Subscriptions {
  const subscriptions = new Map<string, Subscription>()
  const stopped = new Set<Subscription>()

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
    const { id, recent = new Set() } = subscription
    if (recent.has(message.sequence)) return true
    if (!push(id, message)) {
      lookAgain(subscription, message.sequence)
      stop(subscription)
      return false
    }
    subscription.recent = recent.add(message.sequence)
    const [oldest] = recent
    if (recent.size > remembered && oldest !== undefined) recent.delete(oldest)
    return true
  }

  function stop(subscription: Subscription): void {
    subscription.state = 'stopped'
    stopped.add(subscription)
  }

  function isCurrent(subscription: Subscription): boolean {
    // Another one may have taken its place while something was waited for.
    return subscriptions.get(subscription.topic) === subscription
  }

  function deliver(topics: readonly string[]): void {
    const waiting = topics.flatMap((topic) => subscriptions.get(topic) ?? [])
    const idle = waiting.filter(({ state }) => state !== 'catching up')
    for (const subscription of idle) {
      stopped.delete(subscription)
      subscription.state = 'catching up'
    }
    for (const subscription of waiting) if (!idle.includes(subscription)) lookAgain(subscription, subscription.read + 1)
    catchUp(idle).catch((error: unknown) => {
      for (const subscription of idle)
        if (subscription.state === 'catching up' && isCurrent(subscription)) stop(subscription)
      onFault(error)
    })
  }

  async function catchUp(idle: readonly Subscription[]): Promise<void> {
    await Promise.all(idle.map(({ heard }) => heard))
    // One question tells of many topics that there is nothing.
    const asked = idle.map(({ topic }) => topic)
    const filled = asked.length < 3 ? asked : await mailbox.waiting(asked, clientId)
    const full = new Set(filled)
    for (const subscription of idle) {
      if (full.has(subscription.topic) || subscription.missed !== undefined) await readAll(subscription)
      else subscription.state = 'level'
    }
  }

  async function readAll(subscription: Subscription): Promise<void> {
    const { topic, read } = subscription
    do {
      // Where the database fails, the next attempt begins again from here.
      subscription.read = Math.min(subscription.read, (subscription.missed ?? Infinity) - 1)
      subscription.missed = undefined
      for (let hasMore = true; hasMore;) {
        const page = await mailbox.undelivered(topic, clientId, subscription.read)
        for (const message of page.messages) {
          if (!isCurrent(subscription) || !send(subscription, message)) return
          subscription.read = message.sequence
        }
        hasMore = page.hasMore
      }
      subscription.read = Math.max(subscription.read, read)
    } while (subscription.missed !== undefined)
    subscription.state = 'level'
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
      const id = subscriptionId(topic, clientId)
      const heard = hub.subscribe(topic, subscriber)
      subscriptions.set(topic, { id, topic, heard, state: 'new', read: 0, missed: undefined, recent: undefined })
      return id
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

function lookAgain(subscription: Subscription, sequence: number): void {
  subscription.missed = Math.min(subscription.missed ?? Infinity, sequence)
}

/** The id of a client's subscription: the one that clients work out for themselves. */
function subscriptionId(topic: string, clientId: string): string {
  return createHash('sha256')
    .update(topic + clientId)
    .digest('hex')
}
