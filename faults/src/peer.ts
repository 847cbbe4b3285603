import { EventEmitter, once, setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClientKey } from '@latchkey/server/testing'
import { openConnection, type Connection, type Delivery } from './connection.ts'
import type { History } from './history/history.ts'
import type { Random } from './random.ts'

/** A client that always reconnects, and records its operations and deliveries. */
export type Peer = {
  readonly name: string
  /** The codes with which its connections ended, oldest first. */
  readonly endings: readonly number[]
  /** Resolves once it is connected and subscribed to its topics. */
  ready(): Promise<void>
  /**
   * Publishes a message, and repeats it until the relay confirms it.
   *
   * @returns true if it was confirmed before the peer was closed
   */
  publish(topic: string, message: string): Promise<boolean>
  close(): Promise<void>
}

export type PeerOptions = {
  name: string
  /** The URL of the relay, read before each attempt. */
  url: () => string
  /** The subscribed topics. */
  topics?: readonly string[]
  history: History
  random: Random
}

/** Long enough for the longest outage. */
const secondsToLive = 3_600

/** Creates a client, which connects at once. */
export function createPeer(options: PeerOptions): Peer {
  const { name, history, random } = options
  const closing = new AbortController()
  const { signal } = closing
  setMaxListeners(0, signal)
  const link = keepConnected(options, signal)

  return {
    name,
    endings: link.endings,
    ready: async () => void (await link.ready()),
    async publish(topic, message) {
      const op = { does: 'publish', topic, message: nameOf(message) } as const
      const params = { topic, message, ttl: secondsToLive, tag: 1108, prompt: false }
      while (!signal.aborted) {
        const connection = await link.ready().catch(() => undefined)
        if (connection === undefined) return false
        history.record(name, 'invoke', op)
        const outcome = await connection.request('irn_publish', params)
        history.record(name, outcome, op)
        if (outcome === 'ok') return true
        await pause(random, signal)
      }
      return false
    },
    async close() {
      closing.abort()
      await link.ended
    },
  }
}

/** A connection that is opened again whenever it ends, until it is aborted. */
type KeptConnection = {
  readonly endings: readonly number[]
  /** Resolves once there is a connection that is subscribed. */
  ready(): Promise<Connection>
  readonly ended: Promise<void>
}

function keepConnected(options: PeerOptions, signal: AbortSignal): KeptConnection {
  const key = createClientKey()
  const endings: number[] = []
  const events = new EventEmitter().setMaxListeners(0)
  let current: Connection | undefined
  let connections = 0

  /** Connects, subscribes, and resolves when the connection has ended. */
  async function connectOnce(): Promise<void> {
    connections += 1
    const number = connections
    const connection = openConnection(options.url(), key, (delivery) => recordDelivery(options, delivery, number))
    const close = (): void => connection.close()
    signal.addEventListener('abort', close)
    if ((await connection.opened) && (await subscribeTopics(options, connection))) {
      current = connection
      events.emit('ready')
    } else connection.close()
    endings.push(await connection.ended)
    current = undefined
    signal.removeEventListener('abort', close)
  }

  async function stayConnected(): Promise<void> {
    while (!signal.aborted) {
      await connectOnce()
      await pause(options.random, signal)
    }
  }

  return {
    endings,
    async ready() {
      while (current === undefined) await once(events, 'ready', { signal })
      return current
    },
    ended: stayConnected(),
  }
}

/** @returns false if the relay did not confirm the subscriptions */
async function subscribeTopics({ name, topics = [], history }: PeerOptions, connection: Connection): Promise<boolean> {
  if (topics.length === 0) return true
  if ((await connection.request('irn_batchSubscribe', { topics })) !== 'ok') return false
  for (const topic of topics) history.record(name, 'ok', { does: 'subscribe', topic })
  return true
}

function recordDelivery({ name, history }: PeerOptions, { topic, message }: Delivery, connection: number): void {
  const op = { topic, message: nameOf(message), connection }
  history.record(name, 'ok', { does: 'receive', ...op })
  // The relay sends no response to it, so it is unknown if it arrived.
  history.record(name, 'info', { does: 'acknowledge', ...op })
}

/** Random, so that clients do not reconnect at the same moment. */
function pause(random: Random, signal: AbortSignal): Promise<unknown> {
  return sleep(random.between(50, 300), undefined, { signal }).catch(() => undefined)
}

/** Returns the text of a message in the history: without its padding. */
function nameOf(message: string): string {
  return message.trimEnd()
}
