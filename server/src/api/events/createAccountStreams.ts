import { PassThrough, type Readable } from 'node:stream'
import { onIndexUpdate } from '../../indexer/indexUpdates.ts'
import type { Bus } from '../../kit/bus/bus.ts'
import { normalizeAddress } from '../../kit/chain/normalizeAddress.ts'
import { Problem } from '../../kit/http/problem.ts'
import { createConcurrencyLimiter, type Release } from '../../kit/limits/concurrencyLimiter.ts'
import type { RateLimiters } from '../../kit/limits/rateLimiters.ts'
import type { Clock } from '../../kit/runtime/clock.ts'

/** An event of an account on a chain. `head` has the last indexed block. */
export type AccountEvent = { type: 'head'; block: number } | { type: 'change' } | { type: 'reset' }

export type AccountStreamRequest = {
  chain: string
  address: string
  /** The client address and the project, whose streams are counted. */
  client: string
  project: string
  /** The stream ends after this number of events. */
  limit?: number
}

/** A stream of server-sent events. */
export type AccountStream = { body: Readable; send(event: AccountEvent): void }

/** The open streams of this process. */
export type AccountStreams = {
  /** @throws Problem 429 `rate_limited` if the client, the project or the process has too many streams */
  open(request: AccountStreamRequest): Promise<AccountStream>
  close(): void
}

/** The most streams of one process, and of one project and one client address in all processes. */
export type StreamLimits = { total: number; perProject: number; perClient: number }

const defaultLimits: StreamLimits = { total: 20_000, perProject: 10_000, perClient: 50 }
/** Keeps proxies from closing idle streams, and lets clients notice dead ones. */
const heartbeatMs = 25_000
/** A stream of a client that left without a sign ends after this time. The others reconnect. */
const lifetimeMs = 3_600_000
/** Chains with many blocks per second, and backfills, report their head at this interval. */
const headIntervalMs = 1_000
/** A client that reads slower than this is disconnected. */
const maxBufferedBytes = 64 * 1024
const retryAfterSeconds = 30
/** Time after which an EventSource client reconnects, in milliseconds. */
const reconnectMs = 3_000

type OpenStream = AccountStream & AccountStreamRequest & { openedAt: number; headSentAt: number }

export type AccountStreamsOptions = { bus: Bus; clock: Clock; rateLimiters: RateLimiters; limits?: StreamLimits }

/**
 * Creates the streams. Each process sends the updates of the index, which it gets over the bus, to its own clients. A
 * `reset` says that anything may have changed: after a reorg, or after messages between processes were lost.
 */
export function createAccountStreams(options: AccountStreamsOptions): AccountStreams {
  const { bus, clock } = options
  const streams = new Set<OpenStream>()
  const byAccount = new Map<string, Set<OpenStream>>()
  const byChain = new Map<string, Set<OpenStream>>()
  const counts = createStreamCounts(options)

  const stopUpdates = onIndexUpdate(bus, ({ chain, concerned, head }) => {
    const own = byChain.get(chain)
    if (own === undefined) return
    if (concerned === undefined) for (const stream of own) stream.send({ type: 'reset' })
    for (const address of concerned ?? []) {
      for (const stream of byAccount.get(toKey(chain, address)) ?? []) stream.send({ type: 'change' })
    }
    if (head !== undefined) for (const stream of own) sendHead(stream, head, clock.now())
  })
  bus.onGap(() => {
    for (const stream of streams) stream.send({ type: 'reset' })
  })
  const heartbeat = setInterval(() => {
    for (const stream of streams) {
      if (clock.now() - stream.openedAt > lifetimeMs) stream.body.destroy()
      else write(stream.body, ':\n\n')
    }
  }, heartbeatMs)
  heartbeat.unref()

  return {
    async open(request) {
      const release = await counts.acquire(request)
      const stream = createStream(request, clock.now())
      const groups = [
        [byChain, request.chain],
        [byAccount, toKey(request.chain, request.address)],
      ] as const
      streams.add(stream)
      for (const [group, key] of groups) addTo(group, key, stream)
      stream.body.once('close', () => {
        streams.delete(stream)
        release()
        for (const [group, key] of groups) removeFrom(group, key, stream)
      })
      return stream
    },
    close() {
      stopUpdates()
      clearInterval(heartbeat)
      for (const { body } of streams) body.destroy()
    },
  }
}

type StreamCounts = {
  /** @returns a function that subtracts the stream again */
  acquire(request: AccountStreamRequest): Promise<Release>
}

function createStreamCounts({ rateLimiters, limits = defaultLimits }: AccountStreamsOptions): StreamCounts {
  const ownLimiter = createConcurrencyLimiter()
  const sharedLimiter = rateLimiters.createConcurrency('api/account-streams')

  return {
    async acquire({ client, project }) {
      const acquired: Release[] = []
      const releaseAll = (): void => acquired.forEach((release) => release())
      const counts = [
        [ownLimiter, 'total', limits.total],
        [sharedLimiter, `client ${client}`, limits.perClient],
        [sharedLimiter, `project ${project}`, limits.perProject],
      ] as const
      for (const [limiter, key, maximum] of counts) {
        const release = await limiter.acquire(key, maximum)
        if (release === undefined) {
          releaseAll()
          throw new Problem(429, 'rate_limited', 'Too many open streams.', { retryAfter: retryAfterSeconds })
        }
        acquired.push(release)
      }
      return releaseAll
    },
  }
}

function createStream(request: AccountStreamRequest, openedAt: number): OpenStream {
  const body = new PassThrough({ highWaterMark: maxBufferedBytes })
  let remaining = request.limit ?? Number.POSITIVE_INFINITY
  body.write(`retry: ${reconnectMs}\n\n`)
  return {
    ...request,
    body,
    openedAt,
    headSentAt: Number.NEGATIVE_INFINITY,
    send(event) {
      if (remaining <= 0) return
      remaining -= 1
      write(body, formatEvent(request.chain, event))
      if (remaining <= 0) body.end()
    },
  }
}

function sendHead(stream: OpenStream, block: number, now: number): void {
  if (now - stream.headSentAt < headIntervalMs) return
  stream.headSentAt = now
  stream.send({ type: 'head', block })
}

/** Only a head has an id, because all changes up to its block were sent before it. */
function formatEvent(chain: string, event: AccountEvent): string {
  const id = event.type === 'head' ? `id: ${event.block}\n` : ''
  const data = JSON.stringify(event.type === 'head' ? { chain, block: event.block } : { chain })
  return `${id}event: ${event.type}\ndata: ${data}\n\n`
}

function write(body: Readable, text: string): void {
  if (!(body instanceof PassThrough) || body.writableEnded || body.destroyed) return
  if (!body.write(text)) body.destroy()
}

function toKey(chain: string, address: string): string {
  return `${chain}/${normalizeAddress(address)}`
}

function addTo(groups: Map<string, Set<OpenStream>>, key: string, stream: OpenStream): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, new Set([stream]))
  else group.add(stream)
}

function removeFrom(groups: Map<string, Set<OpenStream>>, key: string, stream: OpenStream): void {
  const group = groups.get(key)
  if (group?.delete(stream) === true && group.size === 0) groups.delete(key)
}
