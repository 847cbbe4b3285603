import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { WebSocket, WebSocketServer } from 'ws'
import type { Chain } from '../../kit/chain/chains.ts'
import { clientAddress } from '../../kit/http/clientAddress.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Access } from '../../kit/http/access.ts'
import { acquireUntilClosed } from '../../kit/limits/concurrencyLimiter.ts'
import type { RateLimiters } from '../../kit/limits/rateLimiters.ts'
import type { Rate } from '../../kit/limits/tokenBucket.ts'
import { rejectUpgrade, type Upgrade } from '../../kit/http/upgrades.ts'
import { findProjectProblem } from '../http/projectGuard.ts'
import type { RpcResponder } from './rpcResponder.ts'
import { getConfiguredChain } from './rpcEndpoints.ts'
import { serveRpcSocket } from './serveRpcSocket.ts'

/** JSON-RPC over websockets. */
export type RpcSockets = { upgrade: Upgrade; close(): void }

export type RpcSocketsDependencies = {
  chains: readonly Chain[]
  responder: RpcResponder
  access: Access
  trustedProxies: number
  rateLimiters: RateLimiters
  /** Requests of an address, over all its connections. */
  rate: Rate
  log: FastifyBaseLogger
}

const maxFrameBytes = { client: 512 * 1024, node: 10 * 1024 * 1024 } as const
const connectTimeoutMs = 10_000
const pingIntervalMs = 25_000
const connectionsPerAddress = 50

/** Accepts websockets for the chains that have websocket endpoints. */
export function createRpcSockets(dependencies: RpcSocketsDependencies): RpcSockets {
  const { responder, access, trustedProxies, rateLimiters, rate, log } = dependencies
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: maxFrameBytes.client })
  const requests = rateLimiters.createLocalFirst('api/rpc-sockets', rate)
  const connections = rateLimiters.createConcurrency('api/rpc-sockets')
  const { watch, stop } = pingClients(server)

  async function accept(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const address = clientAddress(request, trustedProxies)
    const isWithinLimits =
      requests.take(address).ok &&
      (await acquireUntilClosed(connections, { stream, key: address, maximum: connectionsPerAddress }))
    const chain = authorize(dependencies, request, isWithinLimits)
    const upstream = await connectFirst(chain.wsUrls ?? [], stream)
    if (upstream === undefined) throw new Problem(410, 'chainId', 'The chain is not available.')
    if (stream.destroyed) return upstream.terminate()
    server.handleUpgrade(request, stream, head, (socket) => {
      watch(socket)
      const check = (): void => {
        if (access.isAddressBanned(request) || findRefusal(access, request) !== undefined) socket.terminate()
      }
      socket.on('close', access.onChange(check))
      serveRpcSocket({ socket, upstream, chain, responder, takeToken: () => requests.take(address).ok })
      // The operator may have changed the access while the node was connected.
      check()
    })
  }

  return {
    upgrade(request, stream, head) {
      accept(request, stream, head).catch((error: unknown) => {
        if (!(error instanceof Problem)) log.error({ err: error }, 'a websocket failed')
        rejectSocket(stream, error instanceof Problem ? error : new Problem(500, '', 'Internal server error'))
      })
    },
    close() {
      stop()
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

/** Pings the clients of a server and terminates those that stop responding. */
function pingClients(server: WebSocketServer): { watch(socket: WebSocket): void; stop(): void } {
  const alive = new WeakSet<WebSocket>()
  const ping = (socket: WebSocket): void => {
    if (!alive.has(socket)) return socket.terminate()
    alive.delete(socket)
    socket.ping()
  }
  const interval = setInterval(() => server.clients.forEach(ping), pingIntervalMs)
  return {
    watch(socket) {
      alive.add(socket)
      socket.on('pong', () => alive.add(socket))
    },
    stop: () => clearInterval(interval),
  }
}

/**
 * Checks the project and origin of an upgrade.
 *
 * @returns the requested chain
 * @throws Problem that says why the upgrade is rejected
 */
function authorize(
  { chains, access }: RpcSocketsDependencies,
  request: IncomingMessage,
  isWithinLimits: boolean,
): Chain {
  const query = queryOf(request)
  const problem = findRefusal(access, request)
  if (problem !== undefined) throw problem
  if (!isWithinLimits) throw new Problem(429, 'rate_limited', 'Too many requests.', { retryAfter: 1 })
  const chain = getConfiguredChain(chains, query.get('chainId') ?? undefined)
  if (chain.wsUrls === undefined) throw new Problem(400, 'chainId', 'This chain has no websocket endpoint.')
  return chain
}

function findRefusal({ projects }: Access, request: IncomingMessage): Problem | undefined {
  return findProjectProblem(projects, queryOf(request).get('projectId') ?? undefined, request.headers.origin)
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  return new URL(url, 'http://chain').searchParams
}

function rejectSocket(stream: Duplex, { status, field, message, retryAfter }: Problem): void {
  const body = JSON.stringify({ status: 'FAILED', reasons: [{ field, description: message }] })
  const wait: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  rejectUpgrade(stream, status, 'Refused', body, { 'content-type': 'application/json', ...wait })
}

/** Connects to the first node that accepts a connection. Stops when the client's stream closes. */
async function connectFirst(urls: readonly string[], stream: Duplex): Promise<WebSocket | undefined> {
  for (const url of urls) {
    if (stream.destroyed) return undefined
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: maxFrameBytes.node,
      handshakeTimeout: connectTimeoutMs,
      followRedirects: false,
    })
    const opened = await new Promise<boolean>((resolve) => {
      socket.once('open', () => resolve(true))
      // Further errors follow when the socket closes. They are not logged, because the URL may contain a key.
      socket.on('error', () => resolve(false))
      stream.once('close', () => socket.terminate())
    })
    if (opened) return socket
    socket.terminate()
  }
  return undefined
}
