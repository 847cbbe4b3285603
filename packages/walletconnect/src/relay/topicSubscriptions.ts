import type { Clock } from '@latchkey/core'
import { hashMessage } from '../crypto/envelope.ts'
import { createSeenIds, type SeenIds } from '../primitives/seenIds.ts'
import { isUnknownRecord, type UnknownRecord } from '../primitives/unknownRecord.ts'
import { createBatchRetries } from './batchRetries.ts'
import type { ReconnectingSocket } from './reconnectingSocket.ts'
import type { RelayMessage } from './relay.ts'

/** The topics that a client subscribes to, across connections. */
export type TopicSubscriptions = {
  /** True if a topic needs the connection. */
  hasTopics(): boolean
  /** Remembers a topic that another call subscribes to. Idempotent. */
  add(topic: string): void
  /** Subscribes to a topic. If the relay refuses, retries until the topic is removed. @throws LatchkeyError `relay/…`, `request/failed` */
  subscribe(topic: string): Promise<void>
  /** Subscribes to all topics on a new connection, except those whose own call is still pending. Retries what the relay refuses. */
  resubscribe(): void
  /** Forgets a topic, and ends its subscription at the relay if the connection is open. Ignores unknown topics. */
  unsubscribe(topic: string): Promise<void>
  clear(): void
  /** Takes the parameters of a push. Ignores malformed ones, unknown topics and duplicates. */
  receive(params: UnknownRecord): void
}

type TopicSubscriptionsDependencies = {
  socket: Pick<ReconnectingSocket, 'request' | 'status' | 'openOrClose' | 'reportRefusal'>
  clock: Clock
  onMessage(message: RelayMessage): void
}

type Subscription = {
  readonly seen: SeenIds
  /** The id that the relay gave to the subscription. `undefined` if it has not named one. */
  id: string | undefined
}

/** Seconds. */
const timeouts = { subscribe: 60, unsubscribe: 10 } as const

/** The number of topics that relays accept in one call. */
const batchSize = 500

/** The number of messages per topic that are remembered for dropping duplicates. */
const rememberedMessages = 500

/** Creates an empty set of subscriptions. */
export function createTopicSubscriptions({
  socket,
  clock,
  onMessage,
}: TopicSubscriptionsDependencies): TopicSubscriptions {
  const topics = new Map<string, Subscription>()
  const subscribing = new Set<string>()
  const ending = createUnsubscriber(socket, topics)
  const retries = createBatchRetries({ socket, clock, subscribe: subscribeBatch, isKept: (topic) => topics.has(topic) })

  function add(topic: string): void {
    if (!topics.has(topic)) topics.set(topic, { seen: createSeenIds(rememberedMessages), id: undefined })
  }

  async function subscribeBatch(batch: readonly string[]): Promise<void> {
    const ids = await requestBatch(socket, batch)
    batch.forEach((topic, at) => storeSubscriptionId(topics, topic, ids[at]))
  }

  /** Subscribes on a new connection. Retries of the previous one end. */
  function restart(all: readonly string[]): void {
    retries.cancel()
    for (let start = 0; start < all.length; start += batchSize) retries.start(all.slice(start, start + batchSize))
  }

  return {
    add,
    hasTopics: () => topics.size > 0 || ending.isPending(),
    async subscribe(topic) {
      add(topic)
      subscribing.add(topic)
      try {
        const id = await socket.request('irn_subscribe', { topic }, { timeoutSeconds: timeouts.subscribe })
        storeSubscriptionId(topics, topic, id)
      } catch (error) {
        retries.add([topic], error)
        throw error
      } finally {
        subscribing.delete(topic)
      }
    },
    resubscribe() {
      // Another relay, or a restarted one, gives the subscriptions other ids.
      for (const subscription of topics.values()) subscription.id = undefined
      restart([...topics.keys()].filter((topic) => !subscribing.has(topic)))
    },
    unsubscribe: ending.unsubscribe,
    clear() {
      topics.clear()
      restart([])
    },
    receive({ id, data }) {
      const message = parseRelayMessage(data)
      if (message === undefined) return
      storeSubscriptionId(topics, message.topic, id)
      const seen = topics.get(message.topic)?.seen
      if (seen !== undefined && !seen.checkAndAdd(message.digest)) onMessage(message)
    },
  }
}

function storeSubscriptionId(topics: ReadonlyMap<string, Subscription>, topic: string, id: unknown): void {
  const subscription = topics.get(topic)
  if (subscription !== undefined && typeof id === 'string') subscription.id = id
}

/** Ends subscriptions at the relay, if the connection is open. */
function createUnsubscriber(
  socket: TopicSubscriptionsDependencies['socket'],
  topics: Map<string, Subscription>,
): Pick<TopicSubscriptions, 'unsubscribe'> & { isPending(): boolean } {
  const pending = new Set<string>()
  return {
    isPending: () => pending.size > 0,
    async unsubscribe(topic) {
      const subscription = topics.get(topic)
      if (subscription === undefined) return
      topics.delete(topic)
      if (socket.status.get().state !== 'open') return socket.openOrClose()
      pending.add(topic)
      try {
        await endSubscription(socket, topic, subscription.id, () => topics.has(topic))
      } finally {
        pending.delete(topic)
        socket.openOrClose()
      }
    },
  }
}

/** Ends a subscription by the relay's id for it. */
async function endSubscription(
  { request }: Pick<ReconnectingSocket, 'request'>,
  topic: string,
  knownId: string | undefined,
  isSubscribedAgain: () => boolean,
): Promise<void> {
  const options = { timeoutSeconds: timeouts.unsubscribe, isSentOnce: true }
  // Session calls subscribe but don't return the id. Subscribing again returns it and has no other effect.
  const id = knownId ?? (await request('irn_subscribe', { topic }, options))
  if (!isSubscribedAgain()) await request('irn_unsubscribe', { topic, id }, options)
}

/** Subscribes to a batch. Returns the ids of the subscriptions, in the same order, as far as the relay names them. */
async function requestBatch(
  { request }: Pick<ReconnectingSocket, 'request'>,
  batch: readonly string[],
): Promise<readonly unknown[]> {
  const options = { timeoutSeconds: timeouts.subscribe, isSentOnce: true }
  const [topic] = batch
  // Every relay has the call for one topic, including those without batches.
  if (batch.length === 1) return [await request('irn_subscribe', { topic }, options)]
  const ids = await request('irn_batchSubscribe', { topics: batch }, options)
  return Array.isArray(ids) ? ids : []
}

function parseRelayMessage(data: unknown): (RelayMessage & { digest: string }) | undefined {
  if (!isUnknownRecord(data)) return undefined
  const { topic, message, tag, publishedAt, attestation } = data
  if (typeof topic !== 'string' || typeof message !== 'string') return undefined
  return {
    topic,
    message,
    digest: hashMessage(message),
    tag: typeof tag === 'number' ? tag : undefined,
    publishedAt: typeof publishedAt === 'number' ? publishedAt : undefined,
    attestation: typeof attestation === 'string' ? attestation : undefined,
  }
}
