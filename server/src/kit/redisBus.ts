import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { Redis } from 'ioredis'
import { createBusListeners, type Bus, type BusMessage } from './bus.ts'

export type RedisBusOptions = {
  /** `redis://…`, or `rediss://…` for TLS. */
  url: string
  log: FastifyBaseLogger
}

/** Before every channel, so that a Redis may be shared with other programs. */
const prefix = 'latchkey/'
/** On which processes tell each other that they could not speak for a while. */
const gapChannel = `${prefix}gap`
/** Channels that are asked for at once. */
const channelsPerCall = 500
/** Milliseconds. A connection that answers nothing for so long is cut and made anew. */
const timing = { longestRetry: 2_000, heartbeat: 5_000, connect: 5_000 } as const

/**
 * The bus of several server processes, over the publish/subscribe of Redis (`SUBSCRIBE`, `PUBLISH`), which keeps
 * nothing. Listeners of this process are told directly. What could not be sent while Redis was away is not sent later:
 * all processes are told that something was missed, and look where it is kept.
 *
 * @throws Error with a sentence when Redis cannot be reached
 * @example const bus = await connectRedisBus({ url: 'redis://127.0.0.1:6379', log })
 */
export async function connectRedisBus({ url, log }: RedisBusOptions): Promise<Bus> {
  const self = randomUUID()
  const listeners = createBusListeners()
  const gapListeners = new Set<() => void>()
  /** Channels that Redis was asked for and has not confirmed. */
  const asked = new Map<string, Promise<void>>()
  const speaker = await open(url)
  const hearer = await open(url).catch((error: unknown) => {
    speaker.disconnect()
    throw error
  })
  let somethingUnsaid = false

  function send(channel: string, text: string): void {
    const failed = (): void => {
      somethingUnsaid = true
    }
    if (speaker.status === 'ready') speaker.publish(channel, text).catch(failed)
    else failed()
  }

  function speakAgain(): void {
    if (!somethingUnsaid) return
    somethingUnsaid = false
    send(gapChannel, self)
  }

  function reportGap(): void {
    for (const listener of gapListeners) listener()
  }

  function hear(channel: string, text: string): void {
    if (channel === gapChannel) return text === self ? undefined : reportGap()
    // Only our own processes speak on these channels, in this form.
    const { from, message } = JSON.parse(text) as { from: string; message: BusMessage }
    if (from !== self) listeners.tell(channel.slice(prefix.length), message)
  }

  async function hearAgain(): Promise<void> {
    const channels = [gapChannel, ...listeners.channels().map((channel) => prefix + channel)]
    for (let start = 0; start < channels.length; start += channelsPerCall) {
      await hearer.subscribe(...channels.slice(start, start + channelsPerCall))
    }
    reportGap()
  }

  function askFor(channel: string): Promise<void> {
    const answer = hearer
      .subscribe(prefix + channel)
      // While Redis is away nothing is heard; its return is a gap, for which nobody need wait.
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => asked.delete(channel))
    asked.set(channel, answer)
    return answer
  }

  hearer.on('message', hear)
  await hearer.subscribe(gapChannel)
  speaker.on('ready', speakAgain)
  // A connection that breaks while asking is ready once more, and asks again.
  hearer.on('ready', () => void hearAgain().catch(() => undefined))
  const stopWatching = [speaker, hearer].map((client) => watch(client, log))

  return {
    spansProcesses: true,
    publish(channel, message) {
      listeners.tell(channel, message)
      send(prefix + channel, JSON.stringify({ from: self, message }))
    },
    subscribe(channel, listener) {
      const { isFirst } = listeners.add(channel, listener)
      return {
        ready: isFirst ? askFor(channel) : asked.get(channel),
        stop() {
          if (listeners.remove(channel, listener).isLast) hearer.unsubscribe(prefix + channel).catch(() => undefined)
        },
      }
    },
    onGap: (listener) => void gapListeners.add(listener),
    async close() {
      listeners.clear()
      gapListeners.clear()
      for (const stop of stopWatching) stop()
      speaker.disconnect()
      hearer.disconnect()
    },
  }
}

async function open(url: string): Promise<Redis> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timing.connect,
    // What waited while Redis was away would come too late, and in any number.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) =>
      Math.min(timing.longestRetry, 50 * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2),
  })
  // Without a listener the library writes to the console.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (cause) {
    client.disconnect()
    throw new Error(`Redis at ${new URL(url).host} cannot be used. Start it, or leave REDIS_URL out.`, { cause })
  }
}

/** Cuts a connection that has fallen silent, as one does behind a firewall that forgot it; the library makes it anew. */
function watch(client: Redis, log: FastifyBaseLogger): () => void {
  let isAnswered = true
  client.on('close', () => log.warn('the connection to Redis is gone; it is made anew'))
  client.on('ready', () => {
    isAnswered = true
  })
  const timer = setInterval(() => {
    if (client.status !== 'ready') return
    if (!isAnswered) return client.disconnect(true)
    isAnswered = false
    client.ping().then(
      () => (isAnswered = true),
      () => undefined,
    )
  }, timing.heartbeat)
  return () => clearInterval(timer)
}
