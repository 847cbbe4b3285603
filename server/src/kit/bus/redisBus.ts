import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import { connectRedis } from './connectRedis.ts'
import { createBusListeners, type Bus, type BusListeners, type BusMessage } from './bus.ts'

export type RedisBusOptions = {
  /** `redis://…`, or `rediss://…` for TLS. */
  url: string
  log: FastifyBaseLogger
}

/** Starts the name of every channel, so that other programs can use the same Redis. */
const prefix = 'latchkey/'
/** On this channel, a process announces that some of its messages were not sent. */
const gapChannel = `${prefix}gap`
const channelsPerCall = 500
/** The most that is kept while a connection resubscribes. Of more, nothing is kept: listeners find it through the gap. */
const maxHeldCharacters = 4 * 1024 * 1024
/** A connection that does not respond to a ping for this long is reconnected. */
const heartbeatMs = 5_000

/**
 * Connects the bus of several server processes over the publish/subscribe of Redis (`SUBSCRIBE`, `PUBLISH`), which stores
 * nothing. Listeners of this process are called directly. A message that could not be sent while Redis was unreachable is
 * not sent later. All processes are notified of the gap instead, and read the missed messages from the database.
 *
 * @example const bus = await connectRedisBus({ url: 'redis://127.0.0.1:6379', log })
 */
export async function connectRedisBus({ url, log }: RedisBusOptions): Promise<Bus> {
  const processId = randomUUID()
  const listeners = createBusListeners()
  const gapListeners = new Set<() => void>()
  const notifyGap = (): void => gapListeners.forEach((listener) => listener())
  const [publishing, subscribing] = await Promise.all([connectRedis(url, { log }), connectRedis(url, { log })])
  const publisher = createPublisher(publishing, processId)
  const subscriber = createSubscriber(subscribing, { processId, listeners, notifyGap })
  await subscriber.start()
  const stopHeartbeats = [publishing, subscribing].map((client) => startHeartbeat(client, log))

  return {
    spansProcesses: true,
    isReachable: () => publishing.status === 'ready' && subscribing.status === 'ready',
    publish(channel, message) {
      listeners.emit(channel, message)
      publisher.publish(channel, message)
    },
    subscribe(channel, listener) {
      const { isFirst } = listeners.add(channel, listener)
      return {
        ready: isFirst ? subscriber.subscribe(channel) : subscriber.pending(channel),
        stop() {
          if (listeners.remove(channel, listener).isLast) subscriber.unsubscribe(channel)
        },
      }
    },
    onGap: (listener) => void gapListeners.add(listener),
    async close() {
      listeners.clear()
      gapListeners.clear()
      for (const stop of stopHeartbeats) stop()
      publishing.disconnect()
      subscribing.disconnect()
    },
  }
}

/** Publishes messages, and announces a gap once it can publish again. */
function createPublisher(client: Redis, processId: string): { publish(channel: string, message: BusMessage): void } {
  let hasGap = false

  function send(channel: string, text: string): void {
    const markGap = (): void => {
      hasGap = true
    }
    if (client.status === 'ready') client.publish(channel, text).catch(markGap)
    else markGap()
  }

  client.on('ready', () => {
    if (!hasGap) return
    hasGap = false
    send(gapChannel, processId)
  })
  return { publish: (channel, message) => send(prefix + channel, JSON.stringify({ from: processId, message })) }
}

type Subscriber = {
  /** Subscribes to the gap channel. */
  start(): Promise<void>
  /** Resolves when Redis has confirmed the subscription. */
  subscribe(channel: string): Promise<void>
  /** The subscription of a channel that Redis has not confirmed yet. */
  pending(channel: string): Promise<void> | undefined
  unsubscribe(channel: string): void
}

type SubscriberDependencies = { processId: string; listeners: BusListeners; notifyGap(): void }

function createSubscriber(client: Redis, { processId, listeners, notifyGap }: SubscriberDependencies): Subscriber {
  const pending = new Map<string, Promise<void>>()
  const incoming = createIncomingMessages(deliver)
  let connections = 0

  function deliver(channel: string, text: string): void {
    if (channel === gapChannel) return text === processId ? undefined : notifyGap()
    // Only processes of this server publish on these channels.
    const { from, message } = JSON.parse(text) as { from: string; message: BusMessage }
    if (from !== processId) listeners.emit(channel.slice(prefix.length), message)
  }

  async function resubscribe(): Promise<void> {
    incoming.hold()
    const connection = (connections += 1)
    const channels = [gapChannel, ...listeners.channels().map((channel) => prefix + channel)]
    for (let start = 0; start < channels.length; start += channelsPerCall) {
      await client.subscribe(...channels.slice(start, start + channelsPerCall))
    }
    if (connection !== connections) return
    incoming.release(notifyGap)
  }

  return {
    async start() {
      client.on('message', incoming.receive)
      // If the connection breaks while it resubscribes, `ready` fires again.
      client.on('ready', () => void resubscribe().catch(() => undefined))
      // While Redis is unreachable, `ready` will subscribe.
      await client.subscribe(gapChannel).catch(() => undefined)
    },
    subscribe(channel) {
      const confirmed = client
        .subscribe(prefix + channel)
        // While Redis is unreachable no message arrives; its return is a gap, so there is nothing to wait for.
        .then(
          () => undefined,
          () => undefined,
        )
        .finally(() => pending.delete(channel))
      pending.set(channel, confirmed)
      return confirmed
    },
    pending: (channel) => pending.get(channel),
    unsubscribe: (channel) => void client.unsubscribe(prefix + channel).catch(() => undefined),
  }
}

type IncomingMessages = {
  receive(channel: string, text: string): void
  /** Keeps messages from now on. Those that are kept already are dropped: the connection broke again. */
  hold(): void
  /** Reports the gap, and delivers the messages that were kept. */
  release(notifyGap: () => void): void
}

/**
 * Keeps the messages that arrive after a reconnection, until the gap is reported. Redis confirms many channels one after the
 * other, and messages of the first ones arrive before that. Delivered at once, they would overtake the missed ones.
 */
function createIncomingMessages(deliver: (channel: string, text: string) => void): IncomingMessages {
  let held: { messages: Array<readonly [channel: string, text: string]>; characters: number } | undefined

  return {
    receive(channel, text) {
      if (held === undefined) return deliver(channel, text)
      held.characters += text.length
      if (held.characters > maxHeldCharacters) held.messages = []
      else held.messages.push([channel, text])
    },
    hold() {
      held = { messages: [], characters: 0 }
    },
    release(notifyGap) {
      const messages = held?.messages ?? []
      held = undefined
      notifyGap()
      for (const [channel, text] of messages) deliver(channel, text)
    },
  }
}

/** Reconnects a connection that went silent, as one does behind a firewall that dropped it. */
function startHeartbeat(client: Redis, log: FastifyBaseLogger): () => void {
  let hasResponded = true
  client.on('close', () => log.warn('the connection to Redis is lost; reconnecting'))
  client.on('ready', () => {
    hasResponded = true
  })
  const timer = setInterval(() => {
    if (client.status !== 'ready') return
    if (!hasResponded) return client.disconnect(true)
    hasResponded = false
    client.ping().then(
      () => (hasResponded = true),
      () => undefined,
    )
  }, heartbeatMs)
  return () => clearInterval(timer)
}
