import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import { createRandom, type Random } from '../random.ts'

/** The faults of each message, in both directions, on a connection that stays open. Chances are from 0 to 1. */
export type MessageFaults = {
  /** It never arrives. */
  dropChance: number
  /** It arrives twice. */
  duplicateChance: number
  /** It arrives after the messages that follow it. */
  reorderChance: number
  /** The delay of all messages, in milliseconds. */
  delay: number
}

/** A websocket server on loopback that forwards messages with the configured faults. */
export type MessageProxy = {
  /** Has no path. Paths that clients add are forwarded to the target. */
  readonly url: string
  /** The numbers of dropped, duplicated and delayed messages. */
  readonly harm: Readonly<Record<'dropped' | 'duplicated' | 'reordered', number>>
  set(change: Partial<MessageFaults>): void
  close(): Promise<void>
}

export type MessageProxyOptions = {
  /** The target of the connections, without a path: `ws://127.0.0.1:4602`. */
  target: string
  /** Selects the affected messages. The same seed selects the same ones. */
  seed?: number
  faults?: Partial<MessageFaults>
}

const harmless: MessageFaults = { dropChance: 0, duplicateChance: 0, reorderChance: 0, delay: 0 }
/** The longest delay of a reordered message, so that the last one also arrives. */
const heldMilliseconds = 50

/**
 * Starts a websocket proxy on a free port of 127.0.0.1. It drops, duplicates and reorders single messages, which a TCP proxy cannot distinguish.
 *
 * @example
 * const proxy = await startMessageProxy({ target: 'ws://127.0.0.1:4602', faults: { duplicateChance: 0.05 } })
 * connectTo(`${proxy.url}/relay`)
 * await proxy.close()
 */
export async function startMessageProxy({ target, seed = 1, faults }: MessageProxyOptions): Promise<MessageProxy> {
  const corruption: Corruption = {
    random: createRandom(seed),
    harm: { dropped: 0, duplicated: 0, reordered: 0 },
    faults: { ...harmless, ...faults },
  }
  const sockets = new Set<WebSocket>()
  const server = createServer()
  const websockets = new WebSocketServer({ noServer: true })

  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => undefined)
    const upstream = new WebSocket(`${target}${request.url}`, { headers: headersOf(request) })
    upstream.on('error', () => stream.destroy())
    upstream.once('unexpected-response', (_request, { statusCode }) => refuse(stream, statusCode ?? 502))
    upstream.once('open', () => {
      websockets.handleUpgrade(request, stream, head, (client) => {
        client.on('error', () => undefined)
        passOn(client, upstream)
        passOn(upstream, client)
      })
    })
  })

  function passOn(from: WebSocket, to: WebSocket): void {
    const deliver = corruptMessages(corruption, (data, isBinary) => {
      if (to.readyState === to.OPEN) to.send(data, { binary: isBinary })
    })
    sockets.add(from)
    from.on('message', deliver)
    from.on('close', (code, reason) => {
      sockets.delete(from)
      // No frame may contain these codes. The connection broke, so the other one is broken, too.
      if ([1005, 1006, 1015].includes(code)) to.terminate()
      else to.close(code, reason)
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('A TCP server has a port.')
  return {
    url: `ws://127.0.0.1:${address.port}`,
    harm: corruption.harm,
    set: (change) => void (corruption.faults = { ...corruption.faults, ...change }),
    async close() {
      for (const socket of sockets) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Corruption = {
  readonly random: Random
  readonly harm: Record<keyof MessageProxy['harm'], number>
  faults: MessageFaults
}

type SendMessage = (data: RawData, isBinary: boolean) => void

/** Wraps a function that sends messages, so that it applies the faults. */
function corruptMessages(corruption: Corruption, send: SendMessage): SendMessage {
  return (data, isBinary) => {
    const { delay, dropChance, duplicateChance, reorderChance } = corruption.faults
    const isHeld = drawFault(corruption, 'reordered', reorderChance)
    const wait = delay + (isHeld ? heldMilliseconds : 0)
    const copies = drawFault(corruption, 'dropped', dropChance)
      ? 0
      : drawFault(corruption, 'duplicated', duplicateChance)
        ? 2
        : 1
    for (let copy = 0; copy < copies; copy += 1) {
      if (wait === 0) send(data, isBinary)
      else setTimeout(send, wait, data, isBinary)
    }
  }
}

/** Decides if a fault happens, and counts it. */
function drawFault({ random, harm }: Corruption, fault: keyof MessageProxy['harm'], chance: number): boolean {
  if (random.next() >= chance) return false
  harm[fault] += 1
  return true
}

/** The client's identity; the proxy makes its own handshake. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const names = ['authorization', 'origin', 'user-agent'] as const
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
}

function refuse(stream: Duplex, status: number): void {
  stream.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
