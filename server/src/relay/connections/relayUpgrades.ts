import type { IncomingMessage } from 'node:http'
import type { Duplex, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Access } from '../../kit/http/access.ts'
import { createSlicedWork, type SlicedWork } from '../../kit/runtime/slicedWork.ts'
import { clientAddress } from '../../kit/http/clientAddress.ts'
import { rejectUpgrade } from '../../kit/http/upgrades.ts'
import { acquireUntilClosed } from '../../kit/limits/concurrencyLimiter.ts'
import { monitorEventLoop } from '../../kit/limits/eventLoopMonitor.ts'
import type { RateLimiters } from '../../kit/limits/rateLimiters.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { RelayMetrics } from '../relayMetrics.ts'
import type { RelayLimits } from '../relayVariables.ts'
import {
  authorizeConnection,
  createLaterCheck,
  type ConnectionRejection,
  type RelayClient,
} from './authorizeConnection.ts'
import type { RelaySocket } from './relaySocket.ts'

export type RelayUpgradesDependencies = {
  access: Access
  /** Addresses that clients may name as this relay's; empty accepts any. */
  audiences(): readonly string[]
  limits: RelayLimits
  rateLimiters: RateLimiters
  trustedProxies: number
  clock: Clock
  metrics: RelayMetrics
  log: FastifyBaseLogger
  /** Serves an accepted connection. */
  serve(socket: WebSocket, client: RelayClient, stream: Writable): RelaySocket
}

/** Upgrades HTTP connections to the relay's websockets. */
export type RelayUpgrades = {
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void
  /** Rejects new connections, and closes the others, each after a random delay. */
  drain(): Promise<void>
  /** Destroys the connections that are left. */
  close(): void
}

const pingIntervalMs = 25_000
const progressIntervalMs = 5_000
/** Clients are disconnected over this time, so that they do not reconnect all at once. */
const drainMs = 5_000
const closeTimeoutMs = 1_000
const endedPerTurn = 100
const plainText = { 'content-type': 'text/plain' }
const tooManyRequests: ConnectionRejection = {
  status: 429,
  code: 1013,
  reason: 'Too Many Requests',
  cause: 'TooManyRequests',
}

/** Creates the relay's websocket server. It does not listen by itself. */
export function createRelayUpgrades(dependencies: RelayUpgradesDependencies): RelayUpgrades {
  const { access, trustedProxies, limits, metrics, log } = dependencies
  const server = createWebSocketServer()
  /** The connections, and the check that finds the reason to end each. */
  const sockets = new Map<RelaySocket, LaterCheck>()
  const ended = createEnds(sockets)
  const admission = createAdmission(dependencies)
  metrics.watchConnections(() => sockets.size)
  const timers = startChecks(sockets)
  const stopWatching = access.onChange(() => sockets.forEach(closeIfRejected))
  function accept(websocket: WebSocket, client: RelayClient, request: IncomingMessage): void {
    const socket = dependencies.serve(websocket, client, request.socket)
    const check = createLaterCheck(request, client, access)
    sockets.set(socket, check)
    metrics.countAccepted()
    websocket.on('close', () => ended.add(socket))
    // Its upgrade began before the relay was going away.
    if (admission.isClosing()) closeForRestart(socket)
    // The operator may have changed the access while the token was verified.
    closeIfRejected(check, socket)
  }

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const address = clientAddress(request, trustedProxies)
    // A refused client counts for its address, too, until its connection has ended.
    const isCounted = await admission.count(stream, address, limits.connectionsPerAddress)
    const result = isCounted ? await admission.authorize(request, stream, address) : tooManyRequests
    if (stream.destroyed) return
    if ('clientId' in result) {
      server.handleUpgrade(request, stream, head, (websocket) => accept(websocket, result, request))
      return
    }
    metrics.countRefused(result.data ?? result.cause ?? 'other')
    if (!isCounted || !wantsCloseEvent(request)) {
      return rejectUpgrade(stream, result.status, result.reason, result.reason, plainText)
    }
    server.handleUpgrade(request, stream, head, (websocket) => rejectByClosing(websocket, result))
  }

  return {
    upgrade(request, stream, head) {
      upgrade(request, stream, head).catch((error: unknown) => {
        log.error({ err: error }, 'an upgrade failed')
        stream.destroy()
      })
    },
    async drain() {
      admission.close()
      for (const timer of timers) clearInterval(timer)
      await disconnectAll([...sockets.keys()])
      ended.finish()
    },
    close() {
      stopWatching()
      for (const websocket of server.clients) websocket.terminate()
      server.close()
      ended.finish()
    },
  }
}

function startChecks(sockets: ReadonlyMap<RelaySocket, LaterCheck>): readonly NodeJS.Timeout[] {
  return [
    setInterval(() => [...sockets.keys()].forEach((socket) => socket.checkAlive()), pingIntervalMs),
    setInterval(() => [...sockets.keys()].forEach((socket) => socket.checkProgress()), progressIntervalMs),
  ]
}

/** The ends of thousands of connections arrive at once when a network fails. Others must not wait for all of them. */
function createEnds(sockets: Map<RelaySocket, LaterCheck>): SlicedWork<RelaySocket> {
  return createSlicedWork((socket) => {
    sockets.delete(socket)
    socket.end()
  }, endedPerTurn)
}

type LaterCheck = ReturnType<typeof createLaterCheck>

/** Ends a connection if the operator has removed its project, or banned its client or address. */
function closeIfRejected(findRejection: LaterCheck, socket: RelaySocket): void {
  const rejection = findRejection()
  if (rejection !== undefined) socket.close(rejection.code, rejection.reason)
}

type Admission = {
  /** Counts a connection until it ends. False if the client or address has the maximum already. */
  count(stream: Duplex, key: string, maximum: number): Promise<boolean>
  /** Authorizes a request, and counts the connection of its client. */
  authorize(request: IncomingMessage, stream: Duplex, address: string): Promise<RelayClient | ConnectionRejection>
  /** Rejects all further connections. */
  close(): void
  isClosing(): boolean
}

/** Decides about new connections by load, limits and authorization. */
function createAdmission(dependencies: RelayUpgradesDependencies): Admission {
  const { limits, rateLimiters, access, audiences, clock } = dependencies
  const handshakes = rateLimiters.create('relay/handshakes', limits.handshakes)
  // Client ids and addresses never look alike.
  const connections = rateLimiters.createConcurrency('relay/connections')
  const eventLoop = monitorEventLoop()
  let isClosing = false

  const count: Admission['count'] = (stream, key, maximum) => acquireUntilClosed(connections, { stream, key, maximum })

  return {
    count,
    async authorize(request, stream, address) {
      if (isClosing) return { status: 503, code: 1013, reason: 'The relay is going away', cause: 'Closing' }
      // Existing connections are served first.
      if (eventLoop.isOverloaded()) return { status: 503, code: 1013, reason: 'The relay is busy', cause: 'Overloaded' }
      if (!(await handshakes.take(address)).ok) return tooManyRequests
      const result = await authorizeConnection(request, { access, audiences: audiences(), now: clock.now(), address })
      if (!('clientId' in result)) return result
      return (await count(stream, result.clientId, limits.connectionsPerClient)) ? result : tooManyRequests
    },
    close() {
      isClosing = true
      eventLoop.stop()
    },
    isClosing: () => isClosing,
  }
}

function createWebSocketServer(): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: 1024 * 1024,
    // Tiny fragments cost more than they carry.
    maxFragments: 64,
    maxBufferedChunks: 4096,
  })
}

async function disconnectAll(sockets: readonly RelaySocket[]): Promise<void> {
  const jitterMs = sockets.length > 50 ? drainMs : 0
  await Promise.all(sockets.map((socket) => disconnect(socket, Math.random() * jitterMs)))
}

function closeForRestart(socket: RelaySocket): void {
  socket.close(4010, 'The relay is restarting')
}

/** Closes a connection and waits for the client's closing frame, because destroying the socket would lose ours. */
async function disconnect(socket: RelaySocket, delayMs: number): Promise<void> {
  await sleep(delayMs)
  closeForRestart(socket)
  await Promise.race([socket.closed(), sleep(closeTimeoutMs, undefined, { ref: false })])
}

/** Scripts in browsers cannot read a rejected upgrade, so clients may ask for a close event instead. */
function wantsCloseEvent(request: IncomingMessage): boolean {
  return new URL(request.url ?? '/', 'http://relay').searchParams.get('useOnCloseEvent') === 'true'
}

function rejectByClosing(websocket: WebSocket, { code, reason, data }: ConnectionRejection): void {
  websocket.on('error', () => undefined)
  if (data !== undefined) {
    websocket.send(JSON.stringify({ id: 0, jsonrpc: '2.0', error: { code: 3000, message: reason, data } }))
  }
  websocket.close(code, reason)
  // The library waits half a minute for a client that does not close.
  const timer = setTimeout(() => websocket.terminate(), closeTimeoutMs)
  websocket.once('close', () => clearTimeout(timer))
}
