import { hashMessage } from '../crypto/envelope.ts'
import { createSeenIds, type SeenIds } from '../primitives/seenIds.ts'
import { isUnknownRecord, type UnknownRecord } from '../primitives/unknownRecord.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import type { ReconnectingSocket } from './reconnectingSocket.ts'
import type { RelayMessage } from './relay.ts'

/** The topics that a client subscribes to, across connections. */
export type TopicSubscriptions = {
  hasTopics(): boolean
  /** Remembers a topic that another call subscribes to. Idempotent. */
  add(topic: string): void
  subscribe(topic: string): Promise<void>
  /** Subscribes to all topics on a new connection, except those whose own call is still pending. */
  resubscribe(): void
  /** Forgets a topic. Returns false if it was unknown. */
  remove(topic: string): boolean
  clear(): void
  /** Takes the parameters of a push. Ignores malformed ones, unknown topics and duplicates. */
  receive(params: UnknownRecord): void
}

/** Seconds. */
const subscribeTimeout = 60

/** The number of topics that relays accept in one call. */
const batchSize = 500

/** The number of messages per topic that are remembered for dropping duplicates. */
const rememberedMessages = 500

/** Creates an empty set of subscriptions. */
export function createTopicSubscriptions(
  request: ReconnectingSocket['request'],
  onMessage: (message: RelayMessage) => void,
): TopicSubscriptions {
  const topics = new Map<string, SeenIds>()
  const subscribing = new Set<string>()

  function add(topic: string): void {
    if (!topics.has(topic)) topics.set(topic, createSeenIds(rememberedMessages))
  }

  return {
    add,
    hasTopics: () => topics.size > 0,
    async subscribe(topic) {
      add(topic)
      subscribing.add(topic)
      try {
        await request('irn_subscribe', { topic }, { timeoutSeconds: subscribeTimeout })
      } finally {
        subscribing.delete(topic)
      }
    },
    resubscribe() {
      const lost = [...topics.keys()].filter((topic) => !subscribing.has(topic))
      for (let start = 0; start < lost.length; start += batchSize) {
        const batch = { topics: lost.slice(start, start + batchSize) }
        runInBackground(request('irn_batchSubscribe', batch, { timeoutSeconds: subscribeTimeout, isSentOnce: true }))
      }
    },
    remove: (topic) => topics.delete(topic),
    clear: () => topics.clear(),
    receive({ data }) {
      const message = parseRelayMessage(data)
      if (message === undefined) return
      const seen = topics.get(message.topic)
      if (seen !== undefined && !seen.checkAndAdd(message.digest)) onMessage(message)
    },
  }
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
