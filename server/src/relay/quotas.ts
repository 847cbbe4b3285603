import type { Clock } from '../kit/clock.ts'
import { createTokenBuckets } from '../kit/tokenBucket.ts'
import type { RelayLimits } from './config.ts'
import { RelayError, tooManyRequests } from './errors.ts'

/** What a client uses over all of its connections with this process. */
export type Quotas = {
  /** @throws RelayError when the client publishes too often, on this topic or altogether. */
  publish(clientId: string, topic: string): void
  /** @throws RelayError when the client listens on too much. */
  subscribe(clientId: string): void
  /** The client listens on so many topics less. */
  unsubscribe(clientId: string, topics: number): void
}

/** Counts what clients use. */
export function createQuotas(limits: RelayLimits, clock: Clock): Quotas {
  const { rate, connectionsPerClient, subscriptionsPerClient } = limits
  const ofTopics = createTokenBuckets(limits.publications, clock)
  // A batch is one request but many messages: all connections together publish no more than they may ask one by one.
  const together = { perSecond: rate.perSecond * connectionsPerClient, burst: rate.burst * connectionsPerClient }
  const ofClients = createTokenBuckets(together, clock)
  const subscriptions = new Map<string, number>()

  return {
    publish(clientId, topic) {
      const isTooMuch = !ofClients.of(clientId).take().ok || !ofTopics.of(topic + clientId).take().ok
      if (isTooMuch) throw tooManyRequests()
    },
    subscribe(clientId) {
      const count = subscriptions.get(clientId) ?? 0
      if (count >= subscriptionsPerClient) {
        throw new RelayError(-32000, 'Internal error: too many subscriptions of this client', 'SubscriberLimitExceeded')
      }
      subscriptions.set(clientId, count + 1)
    },
    unsubscribe(clientId, topics) {
      const count = (subscriptions.get(clientId) ?? 0) - topics
      if (count > 0) subscriptions.set(clientId, count)
      else subscriptions.delete(clientId)
    },
  }
}
