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
export function createPeer({ name, url, topics = [], history, random }: PeerOptions): Peer {
  const key = createClientKey()
  const endings: number[] = []
  const closing = new AbortController()
  const { signal } = closing
  setMaxListeners(0, signal)
  const events = new EventEmitter().setMaxListeners(0)
  let current: Connection | undefined
  let connections = 0

  async function stayConnected(): Promise<void> {
    while (!signal.aborted) {
      await connectOnce()
      await pause()
    }
  }

  /** Connects, subscribes, and resolves when the connection has ended. */
  async function connectOnce(): Promise<void> {
    connections += 1
    const number = connections
    const connection = openConnection(url(), key, (delivery) => note(delivery, number))
    const close = (): void => connection.close()
    signal.addEventListener('abort', close)
    if ((await connection.opened) && (await listen(connection))) {
      current = connection
      events.emit('ready')
    } else connection.close()
    endings.push(await connection.ended)
    current = undefined
    signal.removeEventListener('abort', close)
  }

  async function listen(connection: Connection): Promise<boolean> {
    if (topics.length === 0) return true
    if ((await connection.request('irn_batchSubscribe', { topics })) !== 'ok') return false
    for (const topic of topics) history.record(name, 'ok', { does: 'subscribe', topic })
    return true
  }

  function note({ topic, message }: Delivery, connection: number): void {
    const op = { topic, message: nameOf(message), connection }
    history.record(name, 'ok', { does: 'receive', ...op })
    // The relay sends no response to it, so it is unknown if it arrived.
    history.record(name, 'info', { does: 'acknowledge', ...op })
  }

  /** Random, so that clients do not reconnect at the same moment. */
  function pause(): Promise<unknown> {
    return sleep(random.between(50, 300), undefined, { signal }).catch(() => undefined)
  }

  async function ready(): Promise<Connection> {
    while (current === undefined) await once(events, 'ready', { signal })
    return current
  }

  const staying = stayConnected()

  return {
    name,
    endings,
    ready: async () => void (await ready()),
    async publish(topic, message) {
      const op = { does: 'publish', topic, message: nameOf(message) } as const
      const params = { topic, message, ttl: secondsToLive, tag: 1108, prompt: false }
      while (!signal.aborted) {
        const connection = await ready().catch(() => undefined)
        if (connection === undefined) return false
        history.record(name, 'invoke', op)
        const outcome = await connection.request('irn_publish', params)
        history.record(name, outcome, op)
        if (outcome === 'ok') return true
        await pause()
      }
      return false
    },
    async close() {
      closing.abort()
      await staying
    },
  }
}

/** Returns the text of a message in the history: without its padding. */
function nameOf(message: string): string {
  return message.trimEnd()
}
