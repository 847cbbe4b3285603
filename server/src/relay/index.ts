import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Bus } from '../kit/bus.ts'
import { clientAddress } from '../kit/clientAddress.ts'
import type { Clock } from '../kit/clock.ts'
import { watchEventLoop } from '../kit/eventLoop.ts'
import type { Projects } from '../kit/projects.ts'
import { createTokenBuckets } from '../kit/tokenBucket.ts'
import type { RelayLimits } from './config.ts'
import { admit, type Refusal, type Visitor } from './admit.ts'
import { createHub } from './hub.ts'
import { relayHttp } from './http.ts'
import { createIntake, type Intake } from './intake.ts'
import type { Mailbox } from './mailbox.ts'
import { createQuotas } from './quotas.ts'
import { createSession, type Session } from './session.ts'
import { serveSocket, type RelaySocket } from './socket.ts'
import { joinTaps, type RelayTap } from './tap.ts'
import { watchForUnheard } from './unheard.ts'
import type { Watches } from './watches/index.ts'

export type RelayParts = {
  mailbox: Mailbox
  bus: Bus
  clock: Clock
  projects: Projects
  limits: RelayLimits
  /** Addresses that clients may name as this relay's; empty takes any. */
  audiences(): readonly string[]
  trustedProxies: number
  watches: Watches
  /** Who follows what happens here. */
  taps?: readonly RelayTap[]
  log: FastifyBaseLogger
}

/** The relay: upgrades connections and serves them. */
export type Relay = {
  /** Takes a connection that asks for a websocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Answers single requests over HTTP. */
  readonly http: FastifyPluginAsync
  /** Takes in what came by another way than a client's connection. */
  readonly intake: Intake
  /** Lets clients go, each at its own moment, and waits for what is under way. */
  close(): Promise<void>
}

const pingMilliseconds = 25_000
const progressMilliseconds = 5_000
const sweepMilliseconds = 60_000
/** How long after each other clients are sent away, so that they do not come back all at once. */
const drainMilliseconds = 5_000
const goodbyeMilliseconds = 1_000

/** Makes the relay; it listens on nothing by itself. */
export function createRelay(parts: RelayParts): Relay {
  const { mailbox, bus, clock, limits, watches, log } = parts
  const hub = createHub(bus)
  const quotas = createQuotas(limits, clock)
  const tap = joinTaps([...(parts.taps ?? []), watches.tap])
  const sockets = new Set<RelaySocket>()
  /** How many there are, by client id and by address: the two never look alike. */
  const connections = new Map<string, number>()
  const handshakes = createTokenBuckets(limits.handshakes, clock)
  const eventLoop = watchEventLoop()
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: 1024 * 1024,
    // Tiny fragments cost more than they carry.
    maxFragments: 64,
    maxBufferedChunks: 4096,
  })
  const stopListening = bus.spansProcesses ? watchForUnheard(mailbox, hub, log) : () => undefined
  const timers = [
    setInterval(() => [...sockets].forEach((socket) => socket.checkAlive()), pingMilliseconds),
    setInterval(() => [...sockets].forEach((socket) => socket.checkProgress()), progressMilliseconds),
    setInterval(
      () => void mailbox.sweep().catch(() => log.warn('expired messages could not be deleted')),
      sweepMilliseconds,
    ),
  ]
  const shared = { limits, quotas, mailbox, hub, tap, watches, clock, log }
  let closing = false

  function count(key: string, change: number): void {
    const next = (connections.get(key) ?? 0) + change
    if (next === 0) connections.delete(key)
    else connections.set(key, next)
  }

  function judge(request: IncomingMessage, address: string): Visitor | Refusal {
    if (closing) return { status: 503, code: 1013, reason: 'The relay is going away' }
    // Those who are here already are served first.
    if (eventLoop.isOverloaded()) return { status: 503, code: 1013, reason: 'The relay is busy' }
    const tooMany = { status: 429, code: 1013, reason: 'Too Many Requests' }
    if (!handshakes.of(address).take().ok || (connections.get(address) ?? 0) >= limits.connectionsPerAddress)
      return tooMany
    const verdict = admit(request, { projects: parts.projects, audiences: parts.audiences(), now: clock.now() })
    const ofClient = 'clientId' in verdict ? (connections.get(verdict.clientId) ?? 0) : 0
    return ofClient >= limits.connectionsPerClient ? tooMany : verdict
  }

  function accept(websocket: WebSocket, visitor: Visitor, address: string): void {
    const socket = serveSocket({ socket: websocket, ...visitor, ...shared })
    const change = (by: number): void => [visitor.clientId, address].forEach((key) => count(key, by))
    sockets.add(socket)
    change(1)
    websocket.on('close', () => {
      sockets.delete(socket)
      change(-1)
    })
  }

  /** What a client may do without a connection: nothing can be pushed to it. */
  function openSession(visitor: Visitor): Session {
    const onFault = (error: unknown): void => {
      log.error({ reason: error instanceof Error ? error.message : String(error) }, 'relay fault')
    }
    return createSession({ ...visitor, ...shared, push: () => false, onFault })
  }

  return {
    http: relayHttp({ ...parts, openSession }),
    intake: createIntake(mailbox, hub, tap),
    upgrade(request, stream, head) {
      const address = clientAddress(request, parts.trustedProxies)
      const verdict = judge(request, address)
      if ('clientId' in verdict) {
        return server.handleUpgrade(request, stream, head, (websocket) => accept(websocket, verdict, address))
      }
      if (!wantsCloseEvent(request)) return refusePlainly(stream, verdict)
      server.handleUpgrade(request, stream, head, (websocket) => refuseByClosing(websocket, verdict))
    },
    async close() {
      closing = true
      for (const timer of timers) clearInterval(timer)
      stopListening()
      eventLoop.stop()
      const jitter = sockets.size > 50 ? drainMilliseconds : 0
      await Promise.all([...sockets].map((socket) => letGo(socket, Math.random() * jitter)))
      await mailbox.idle()
      for (const websocket of server.clients) websocket.terminate()
      server.close()
    },
  }
}

/** Says goodbye after a while, and gives the client a moment to answer: a connection that is torn down takes it along. */
async function letGo(socket: RelaySocket, wait: number): Promise<void> {
  await sleep(wait)
  socket.close(4010, 'The relay is restarting')
  await Promise.race([socket.closed, sleep(goodbyeMilliseconds, undefined, { ref: false })])
}

/** Scripts in browsers see nothing of a refused upgrade, so clients may ask to be told by closing. */
function wantsCloseEvent(request: IncomingMessage): boolean {
  return new URL(request.url ?? '/', 'http://relay').searchParams.get('useOnCloseEvent') === 'true'
}

function refuseByClosing(websocket: WebSocket, { code, reason, data }: Refusal): void {
  websocket.on('error', () => undefined)
  if (data !== undefined) {
    websocket.send(JSON.stringify({ id: 0, jsonrpc: '2.0', error: { code: 3000, message: reason, data } }))
  }
  websocket.close(code, reason)
}

function refusePlainly(stream: Duplex, { status, reason }: Refusal): void {
  const words = `HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-type: text/plain\r\n`
  stream.end(`${words}content-length: ${Buffer.byteLength(reason)}\r\n\r\n${reason}`)
}
