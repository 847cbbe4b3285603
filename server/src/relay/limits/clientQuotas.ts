import type { Clock } from '../../kit/runtime/clock.ts'
import { createTokenBuckets } from '../../kit/limits/tokenBucket.ts'
import type { RelayLimits } from '../relayVariables.ts'
import { RelayError, tooManyRequests } from '../errors.ts'

/** The quotas of a client over all of its connections to this process. */
export type ClientQuotas = {
  /** @throws RelayError if the client publishes too often, on this topic or in total */
  checkPublish(clientId: string, topic: string): void
  /** @throws RelayError if the batch requests of the client have too many items */
  checkItems(clientId: string, items: number): void
  /** @throws RelayError if the client has too many subscriptions */
  addSubscription(clientId: string): void
  /** Subtracts ended subscriptions. */
  removeSubscriptions(clientId: string, topics: number): void
}

/** Creates the quotas of all clients. */
export function createClientQuotas(limits: RelayLimits, clock: Clock): ClientQuotas {
  const { rate, connectionsPerClient, subscriptionsPerClient } = limits
  const topicBuckets = createTokenBuckets(limits.publishes, clock)
  // A batch is one request with many messages: in total, a client publishes no more than its connections may send requests.
  const totalRate = { perSecond: rate.perSecond * connectionsPerClient, burst: rate.burst * connectionsPerClient }
  const clientBuckets = createTokenBuckets(totalRate, clock)
  const itemBuckets = createTokenBuckets(limits.items, clock)
  const subscriptions = new Map<string, number>()

  return {
    checkPublish(clientId, topic) {
      const isExceeded = !clientBuckets.get(clientId).take().ok || !topicBuckets.get(topic + clientId).take().ok
      if (isExceeded) throw tooManyRequests()
    },
    checkItems(clientId, items) {
      if (!itemBuckets.get(clientId).take(items).ok) throw tooManyRequests()
    },
    addSubscription(clientId) {
      const count = subscriptions.get(clientId) ?? 0
      if (count >= subscriptionsPerClient) {
        throw new RelayError(-32000, 'Internal error: too many subscriptions of this client', 'SubscriberLimitExceeded')
      }
      subscriptions.set(clientId, count + 1)
    },
    removeSubscriptions(clientId, topics) {
      const count = (subscriptions.get(clientId) ?? 0) - topics
      if (count > 0) subscriptions.set(clientId, count)
      else subscriptions.delete(clientId)
    },
  }
}
