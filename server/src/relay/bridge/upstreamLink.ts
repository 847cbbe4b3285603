import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../kit/runtime/clock.ts'
import { pause } from '../../kit/runtime/pause.ts'
import type { RelayRequest } from '../connections/parseFrame.ts'
import { RelayError } from '../errors.ts'
import type { BridgeIdentity } from './bridgeIdentity.ts'
import type { Upstream } from './bridgeVariables.ts'
import {
  ConnectionLostError,
  openUpstreamConnection,
  type ConnectionEnd,
  type UpstreamConnection,
} from './upstreamConnection.ts'

/** The status of the link: `refused` needs the operator. */
export type UpstreamStatus = 'connected' | 'reconnecting' | 'refused'

/** The link to the upstream relay: reconnects whenever a connection ends. */
export type UpstreamLink = {
  /** Connects, and reconnects until it is closed. */
  open(): void
  status(): UpstreamStatus
  /**
   * Sends a request, again and again while the upstream relay limits the rate.
   *
   * @throws RelayError if the upstream relay refuses it
   * @throws ConnectionLostError if there is no connection, or it ends before the response
   */
  request(method: string, params: object): Promise<unknown>
  close(): Promise<void>
}

type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>

export type UpstreamLinkDependencies = {
  upstream: Upstream
  identity: BridgeIdentity
  clock: Clock
  log: FastifyBaseLogger
  /** Each connection subscribes to this topic first, to find out if it is authorized. */
  probeTopic: string
  /** Called when a new connection is ready for requests. */
  connected(): void
  received(request: RelayRequest): Promise<boolean>
  wait?: Wait
}

/** A connection that lasted for `stableMs` resets the delays. */
const reconnectDelayMs = { first: 250, longest: 30_000, refused: 60_000 } as const
const stableMs = 5_000
const rateLimitDelayMs = { first: 250, longest: 30_000 } as const
const unauthorizedCode = 3000
const tooManyRequestsCode = 3001

/** Creates the link. It connects when it is opened. */
export function createUpstreamLink(dependencies: UpstreamLinkDependencies): UpstreamLink {
  const { upstream, identity, clock, log, wait = pause } = dependencies
  const closing = new AbortController()
  const reporter = createEndReporter(log)
  let status: UpstreamStatus = 'reconnecting'
  let connection: UpstreamConnection | undefined
  let running = Promise.resolve()

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      const since = clock.now()
      const end = await runConnection()
      if (closing.signal.aborted) return
      status = end.refused ? 'refused' : 'reconnecting'
      reporter.report(end)
      if (clock.now() - since > stableMs) failures = 0
      await wait(end.refused ? reconnectDelayMs.refused : jitteredDelay(failures), closing.signal)
    }
  }

  async function runConnection(): Promise<ConnectionEnd> {
    const url = connectionUrl(upstream, identity, clock.now())
    const current = openUpstreamConnection({ url, origin: upstream.origin, received: dependencies.received })
    connection = current
    const probed = probe(current)
    const end = await current.ended
    connection = undefined
    return (await probed) ?? end
  }

  /** Some relays accept every connection, and refuse its first request. */
  async function probe(current: UpstreamConnection): Promise<ConnectionEnd | undefined> {
    try {
      await current.request('irn_subscribe', { topic: dependencies.probeTopic })
    } catch (error) {
      current.close()
      if (!(error instanceof RelayError)) return undefined
      return { refused: error.code === unauthorizedCode, reason: error.message }
    }
    status = 'connected'
    reporter.reset()
    log.info('the upstream relay is connected')
    dependencies.connected()
    return undefined
  }

  return {
    open() {
      running = run()
    },
    status: () => status,
    request: createThrottledRequest(() => connection, closing.signal, wait),
    async close() {
      closing.abort()
      connection?.close()
      await running
    },
  }
}

/** Creates a request function that waits while the upstream relay limits the rate. */
function createThrottledRequest(
  getConnection: () => UpstreamConnection | undefined,
  closing: AbortSignal,
  wait: Wait,
): UpstreamLink['request'] {
  /** Resolves when requests may be sent again. */
  let throttled = Promise.resolve()

  return async (method, params) => {
    for (let refusals = 0; ; refusals += 1) {
      await throttled
      const connection = getConnection()
      if (connection === undefined) throw new ConnectionLostError()
      try {
        return await connection.request(method, params)
      } catch (error) {
        if (!(error instanceof RelayError && error.code === tooManyRequestsCode)) throw error
        throttled = wait(Math.min(rateLimitDelayMs.first * 2 ** refusals, rateLimitDelayMs.longest), closing)
      }
    }
  }
}

/** Logs the end of a connection, once per reason in a row. */
function createEndReporter(log: FastifyBaseLogger): { report(end: ConnectionEnd): void; reset(): void } {
  let lastReason = ''
  return {
    report({ refused, reason }) {
      if (reason === lastReason) return
      lastReason = reason
      if (refused) {
        log.error(
          { reason },
          'the upstream relay refuses the connection: check RELAY_UPSTREAM_URL, RELAY_UPSTREAM_PROJECT_ID, RELAY_UPSTREAM_ORIGIN and the clock of this machine',
        )
      } else log.warn({ reason }, 'the upstream relay is unreachable; messages are stored here until it is back')
    },
    reset() {
      lastReason = ''
    },
  }
}

function connectionUrl({ url, projectId }: Upstream, { token }: BridgeIdentity, now: number): string {
  const address = new URL(url)
  const query = { auth: token(url, now), projectId, ua: 'wc-2/latchkey-bridge-0.1.0/node', useOnCloseEvent: 'true' }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return address.href
}

/** Between half of the delay and all of it, so that many bridges do not reconnect at once. */
function jitteredDelay(failures: number): number {
  return Math.min(reconnectDelayMs.first * 2 ** failures, reconnectDelayMs.longest) * (0.5 + Math.random() / 2)
}
