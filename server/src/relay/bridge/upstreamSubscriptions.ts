import type { FastifyBaseLogger } from 'fastify'
import { pause } from '../../kit/runtime/pause.ts'
import { RelayError } from '../errors.ts'
import type { UpstreamLink } from './upstreamLink.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'

/** The bridge's subscriptions at the upstream relay. */
export type UpstreamSubscriptions = {
  follow(topic: string): void
  /** Unsubscribes. */
  unfollow(topic: string): void
  /** Subscribes again to a followed topic, because the upstream relay may have dropped the subscription. */
  renew(topic: string): void
  /** Makes the upstream relay redeliver the unacknowledged messages of a topic. */
  redeliver(topic: string): void
  /** Subscribes to all followed topics on a new connection. */
  resume(): void
  close(): Promise<void>
}

export type UpstreamSubscriptionsDependencies = {
  clientId: string
  link: Pick<UpstreamLink, 'request'>
  log: FastifyBaseLogger
  /** Called after an unsubscribe, which ends the subscriptions of all processes with the same identity. */
  unfollowed(topic: string): void
}

const maxBatchSize = 500
const retryDelayMs = 30_000

/** Creates the subscriptions. The topics of one turn of the event loop are subscribed with one request. */
export function createUpstreamSubscriptions(dependencies: UpstreamSubscriptionsDependencies): UpstreamSubscriptions {
  const followed = new Set<string>()
  const batches = createSubscribeBatches(dependencies, followed)

  async function unsubscribe(topic: string): Promise<void> {
    const { clientId, link, unfollowed } = dependencies
    // Clients compute the id themselves; relays only use the topic.
    const id = sha256(topic + clientId).toString('hex')
    await link.request('irn_unsubscribe', { topic, id })
    unfollowed(topic)
  }

  function renew(topic: string): void {
    if (followed.has(topic)) batches.add([topic])
  }

  return {
    follow(topic) {
      followed.add(topic)
      renew(topic)
    },
    unfollow(topic) {
      followed.delete(topic)
      batches.remove(topic)
      // Without a connection there is no subscription, and a refusal changes nothing.
      if (batches.isConnected()) unsubscribe(topic).catch(() => undefined)
    },
    renew,
    redeliver(topic) {
      if (!batches.isConnected() || !followed.has(topic)) return
      // Subscribing twice has no effect, so it unsubscribes first.
      const subscribeAgain = (): void => renew(topic)
      unsubscribe(topic).then(subscribeAgain, subscribeAgain)
    },
    resume() {
      batches.connected()
      batches.add([...followed])
    },
    close: batches.close,
  }
}

type SubscribeBatches = {
  add(topics: readonly string[]): void
  remove(topic: string): void
  /** A new connection is ready for requests. */
  connected(): void
  isConnected(): boolean
  close(): Promise<void>
}

/** Sends subscribe requests in batches, and retries those that the upstream relay refuses. */
function createSubscribeBatches(
  { link, log }: UpstreamSubscriptionsDependencies,
  followed: ReadonlySet<string>,
): SubscribeBatches {
  /** In the order in which they were added. */
  const pending = new Set<string>()
  let isConnected = false
  let working: Promise<void> | undefined
  let retryDelay = new AbortController()
  const refusals = createRefusalReporter(log, followed)

  async function work(): Promise<void> {
    await new Promise(setImmediate)
    let size = maxBatchSize
    while (isConnected && pending.size > 0) {
      const topics = [...pending].slice(0, size)
      for (const topic of topics) pending.delete(topic)
      const isDone = await subscribeBatch(topics)
      // A relay that has room for some topics refuses the whole batch, so refused topics are retried in smaller ones.
      if (isDone) size = Math.min(size * 2, maxBatchSize)
      else if (topics.length > 1) size = Math.ceil(topics.length / 2)
      else if (isConnected) await pause(retryDelayMs, (retryDelay = new AbortController()).signal)
    }
    if (pending.size === 0) refusals.reset()
    working = undefined
  }

  async function subscribeBatch(topics: readonly string[]): Promise<boolean> {
    try {
      await link.request('irn_batchSubscribe', { topics })
      return true
    } catch (error) {
      if (error instanceof RelayError) refusals.report(error)
      else isConnected = false
      for (const topic of topics) if (followed.has(topic)) pending.add(topic)
      return false
    }
  }

  function connected(): void {
    isConnected = true
    retryDelay.abort()
  }

  return {
    add(topics) {
      for (const topic of topics) pending.add(topic)
      if (isConnected && pending.size > 0) working ??= work()
    },
    remove: (topic) => void pending.delete(topic),
    connected,
    isConnected: () => isConnected,
    async close() {
      isConnected = false
      retryDelay.abort()
      await working
    },
  }
}

/** Logs the first refusal in a row. */
function createRefusalReporter(
  log: FastifyBaseLogger,
  followed: ReadonlySet<string>,
): { report(error: RelayError): void; reset(): void } {
  let hasReported = false
  return {
    report({ code, data }) {
      if (hasReported) return
      hasReported = true
      log.error(
        { followed: followed.size, code, refusal: data },
        'the upstream relay refuses further subscriptions: messages on their topics do not arrive until it accepts them',
      )
    },
    reset() {
      hasReported = false
    },
  }
}
