import type { Mailbox, StoredMessage } from './mailbox.ts'
import { makeLevel, type Subscription } from './subscription.ts'

export type CatchUpParts = {
  clientId: string
  mailbox: Mailbox
  /** False when another subscription has taken its place while something was waited for. */
  isCurrent(subscription: Subscription): boolean
  /** Sends a message; false when the client cannot take it now, and the subscription is stopped. */
  send(subscription: Subscription, message: StoredMessage): boolean
}

/** So many topics are read without asking first which of them hold something. */
const fewTopics = 2

/** Makes what sends everything that waits on subscriptions, and has them level afterwards. */
export function createCatchUp({
  clientId,
  mailbox,
  isCurrent,
  send,
}: CatchUpParts): (subscriptions: readonly Subscription[]) => Promise<void> {
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
    makeLevel(subscription)
  }

  return async (subscriptions) => {
    await Promise.all(subscriptions.map(({ heard }) => heard))
    const topics = subscriptions.map(({ topic }) => topic)
    const filled = new Set(topics.length <= fewTopics ? topics : await mailbox.waiting(topics, clientId))
    for (const subscription of subscriptions) {
      if (filled.has(subscription.topic) || subscription.missed !== undefined) await readAll(subscription)
      else makeLevel(subscription)
    }
  }
}
