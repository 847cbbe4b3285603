import type { RateLimiters } from '../../kit/limits/rateLimiters.ts'
import type { RelayLimits } from '../relayVariables.ts'
import { addressFull, RelayError, tooManyRequests } from '../errors.ts'
import type { AddressMemory } from './addressMemory.ts'

/** The quotas of a client over all of its connections: rates in all processes, subscriptions in this one. */
export type ClientQuotas = {
  /** @throws RelayError if the client publishes too often, on this topic or in total */
  checkPublish(clientId: string, topic: string): void
  /** @throws RelayError if the batch requests of the client have too many items */
  checkItems(clientId: string, count: number): void
  /** @throws RelayError if the client has too many subscriptions, or its address takes too much memory */
  addSubscription(subscriber: Subscriber): void
  /** Subtracts ended subscriptions. */
  removeSubscriptions(subscriber: Subscriber, topics: number): void
}

type Subscriber = { clientId: string; address: string }

/** The memory of a subscription with its topic in maps, and the sequences that it remembers. Measured: 1 kB and 1 kB. */
export const subscriptionBytes = 2_048

/** Creates the quotas of all clients. */
export function createClientQuotas(
  limits: RelayLimits,
  rateLimiters: Pick<RateLimiters, 'createLocalFirst'>,
  memory: Pick<AddressMemory, 'isFull' | 'change'>,
): ClientQuotas {
  const { rate, connectionsPerClient, subscriptionsPerClient } = limits
  const ofTopics = rateLimiters.createLocalFirst('relay/publishes', limits.publishes)
  // A batch is one request with many messages: in total, a client publishes no more than its connections may send requests.
  const totalRate = { perSecond: rate.perSecond * connectionsPerClient, burst: rate.burst * connectionsPerClient }
  const ofClients = rateLimiters.createLocalFirst('relay/publishers', totalRate)
  const items = rateLimiters.createLocalFirst('relay/items', limits.items)
  const subscriptions = new Map<string, number>()

  return {
    checkPublish(clientId, topic) {
      const isExceeded = !ofClients.take(clientId).ok || !ofTopics.take(topic + clientId).ok
      if (isExceeded) throw tooManyRequests()
    },
    checkItems(clientId, count) {
      if (!items.take(clientId, count).ok) throw tooManyRequests()
    },
    addSubscription({ clientId, address }) {
      const count = subscriptions.get(clientId) ?? 0
      if (count >= subscriptionsPerClient) {
        throw new RelayError(-32000, 'Internal error: too many subscriptions of this client', 'SubscriberLimitExceeded')
      }
      if (memory.isFull(address)) throw addressFull()
      memory.change(address, subscriptionBytes)
      subscriptions.set(clientId, count + 1)
    },
    removeSubscriptions({ clientId, address }, topics) {
      memory.change(address, -topics * subscriptionBytes)
      const count = (subscriptions.get(clientId) ?? 0) - topics
      if (count > 0) subscriptions.set(clientId, count)
      else subscriptions.delete(clientId)
    },
  }
}
