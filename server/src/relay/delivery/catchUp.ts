import type { Clock } from '../../kit/runtime/clock.ts'
import type { Mailbox, RelayMessage } from '../mailbox/mailbox.ts'
import { takeArrived, type ArrivedMessages } from './arrivedMessages.ts'
import { markLive, type Subscription } from './subscription.ts'

export type CatchUpDependencies = {
  clientId: string
  mailbox: Mailbox
  clock: Clock
  arrived: ArrivedMessages
  /** False if another subscription has replaced this one in the meantime. */
  isCurrent(subscription: Subscription): boolean
  /** Sends a message. Returns false if the client can't take it now, and the subscription is stopped. */
  send(subscription: Subscription, message: RelayMessage): boolean
}

/** Creates a function that sends all stored messages of subscriptions and makes them live. */
export function createCatchUp({
  clientId,
  mailbox,
  clock,
  arrived,
  isCurrent,
  send,
}: CatchUpDependencies): (subscriptions: readonly Subscription[]) => Promise<void> {
  /** @returns false if the subscription can't go on */
  const sendAll = (subscription: Subscription, messages: readonly RelayMessage[]): boolean =>
    messages.every((message) => isCurrent(subscription) && send(subscription, message))

  async function sendStored(subscription: Subscription, since: number): Promise<void> {
    const { topic, readUpTo } = subscription
    do {
      // If the database fails, the next attempt starts from here.
      subscription.readUpTo = Math.min(subscription.readUpTo, (subscription.rereadFrom ?? Infinity) - 1)
      subscription.rereadFrom = undefined
      for (let hasMore = true; hasMore;) {
        const page = await mailbox.listUndelivered(topic, clientId, subscription.readUpTo, since)
        for (const message of page.messages) {
          if (!sendAll(subscription, [...takeArrived(arrived, topic, message.sequence), message])) return
          subscription.readUpTo = message.sequence
        }
        hasMore = page.hasMore
      }
      subscription.readUpTo = Math.max(subscription.readUpTo, readUpTo)
    } while (subscription.rereadFrom !== undefined)
    if (sendAll(subscription, takeArrived(arrived, topic))) markLive(subscription)
  }

  return async (subscriptions) => {
    const since = clock.now()
    await Promise.all(subscriptions.map(({ ready }) => ready))
    // The mailbox reads many topics with one query.
    const results = await Promise.allSettled(subscriptions.map((subscription) => sendStored(subscription, since)))
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
}
