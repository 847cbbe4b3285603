import type { Mailbox, RelayMessage } from '../mailbox/mailbox.ts'
import { markLive, type Subscription } from './subscription.ts'

export type CatchUpDependencies = {
  clientId: string
  mailbox: Mailbox
  /** False if another subscription has replaced this one meanwhile. */
  isCurrent(subscription: Subscription): boolean
  /** Sends a message. Returns false if the client can't take it now, and the subscription is stopped. */
  send(subscription: Subscription, message: RelayMessage): boolean
}

/** Up to this many topics are read without asking first which of them have messages. */
const fewTopics = 2

/** Creates a function that sends all stored messages of subscriptions and makes them live. */
export function createCatchUp({
  clientId,
  mailbox,
  isCurrent,
  send,
}: CatchUpDependencies): (subscriptions: readonly Subscription[]) => Promise<void> {
  async function sendStored(subscription: Subscription): Promise<void> {
    const { topic, readUpTo } = subscription
    do {
      // If the database fails, the next attempt starts from here.
      subscription.readUpTo = Math.min(subscription.readUpTo, (subscription.rereadFrom ?? Infinity) - 1)
      subscription.rereadFrom = undefined
      for (let hasMore = true; hasMore;) {
        const page = await mailbox.listUndelivered(topic, clientId, subscription.readUpTo)
        for (const message of page.messages) {
          if (!isCurrent(subscription) || !send(subscription, message)) return
          subscription.readUpTo = message.sequence
        }
        hasMore = page.hasMore
      }
      subscription.readUpTo = Math.max(subscription.readUpTo, readUpTo)
    } while (subscription.rereadFrom !== undefined)
    markLive(subscription)
  }

  return async (subscriptions) => {
    await Promise.all(subscriptions.map(({ ready }) => ready))
    const topics = subscriptions.map(({ topic }) => topic)
    const withMessages = new Set(
      topics.length <= fewTopics ? topics : await mailbox.filterTopicsWithUndelivered(topics, clientId),
    )
    for (const subscription of subscriptions) {
      const mustRead = withMessages.has(subscription.topic) || subscription.rereadFrom !== undefined
      if (mustRead) await sendStored(subscription)
      else markLive(subscription)
    }
  }
}
