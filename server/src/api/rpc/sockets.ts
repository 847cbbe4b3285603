import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { WebSocket, WebSocketServer } from 'ws'
import type { Chain } from '../../kit/chains.ts'
import { clientAddress } from '../../kit/clientAddress.ts'
import type { Clock } from '../../kit/clock.ts'
import { Problem } from '../../kit/problem.ts'
import type { Projects } from '../../kit/projects.ts'
import { createTokenBuckets, type Rate } from '../../kit/tokenBucket.ts'
import { refuseUpgrade, type Upgrade } from '../../kit/upgrades.ts'
import { projectProblem } from '../guard.ts'
import type { Answering } from './answering.ts'
import { chainOf } from './route.ts'
import { serveRpcSocket } from './socket.ts'

/** JSON-RPC over websockets. */
export type RpcSockets = { upgrade: Upgrade; close(): void }

export type RpcSocketsParts = {
  chains: readonly Chain[]
  answering: Answering
  projects: Projects
  clock: Clock
  trustedProxies: number
  rate: Rate
  log: FastifyBaseLogger
}

const frameBytes = { asked: 512 * 1024, told: 10 * 1024 * 1024 } as const
/** Milliseconds: to reach a node, and between two looks whether somebody is still there. */
const patience = { connect: 10_000, ping: 25_000 } as const
const connectionsPerAddress = 50

/** Takes websockets for chains whose nodes take them. */
export function createRpcSockets(parts: RpcSocketsParts): RpcSockets {
  const { chains, answering, projects, clock, trustedProxies, rate, log } = parts
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: frameBytes.asked })
  const buckets = createTokenBuckets(rate, clock)
  const connections = new Map<string, number>()
  const alive = new WeakSet<WebSocket>()
  const pings = setInterval(() => server.clients.forEach(ping), patience.ping)

  function ping(socket: WebSocket): void {
    if (!alive.has(socket)) return socket.terminate()
    alive.delete(socket)
    socket.ping()
  }

  /** @throws Problem that says why it is refused */
  function judge({ url = '', headers }: IncomingMessage, address: string): Chain {
    const query = new URL(url, 'http://chain').searchParams
    const problem = projectProblem(projects, query.get('projectId') ?? undefined, headers.origin)
    if (problem !== undefined) throw problem
    const { ok } = buckets.of(address).take()
    if (!ok || (connections.get(address) ?? 0) >= connectionsPerAddress) {
      throw new Problem(429, 'rate_limited', 'Too many requests.', { retryAfter: 1 })
    }
    const chain = chainOf(chains, query.get('chainId') ?? undefined)
    if (chain.wsUrls === undefined) throw new Problem(400, 'chainId', 'This chain has no websocket here.')
    return chain
  }

  function count(address: string, change: number): void {
    const next = (connections.get(address) ?? 0) + change
    if (next === 0) connections.delete(address)
    else connections.set(address, next)
  }

  async function accept(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const address = clientAddress(request, trustedProxies)
    const chain = judge(request, address)
    const upstream = await connectAny(chain.wsUrls ?? [])
    if (upstream === undefined) throw new Problem(410, 'chainId', 'The chain does not answer.')
    if (stream.destroyed) return upstream.terminate()
    server.handleUpgrade(request, stream, head, (socket) => {
      alive.add(socket)
      count(address, 1)
      socket.on('pong', () => alive.add(socket))
      socket.on('close', () => count(address, -1))
      serveRpcSocket({ socket, upstream, chain, answering, bucket: buckets.of(address) })
    })
  }

  return {
    upgrade(request, stream, head) {
      accept(request, stream, head).catch((error: unknown) => {
        if (!(error instanceof Problem)) log.error({ err: error }, 'a websocket failed')
        refuse(stream, error instanceof Problem ? error : new Problem(500, '', 'Internal server error'))
      })
    },
    close() {
      clearInterval(pings)
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

function refuse(stream: Duplex, { status, field, message, retryAfter }: Problem): void {
  const body = JSON.stringify({ status: 'FAILED', reasons: [{ field, description: message }] })
  const wait: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  refuseUpgrade(stream, status, 'Refused', body, { 'content-type': 'application/json', ...wait })
}

/** A connection to the first node that takes one. */
async function connectAny(urls: readonly string[]): Promise<WebSocket | undefined> {
  for (const url of urls) {
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: frameBytes.told,
      handshakeTimeout: patience.connect,
      followRedirects: false,
    })
    const opened = await new Promise<boolean>((resolve) => {
      socket.once('open', () => resolve(true))
      // It says more later, when it ends: the address may hold a key, so nothing of it is told.
      socket.on('error', () => resolve(false))
    })
    if (opened) return socket
    socket.terminate()
  }
  return undefined
}
