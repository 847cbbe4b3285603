import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { FastifyBaseLogger } from 'fastify'

export type NatsOptions = {
  /** `nats://host:port,host:port`, or `tls://…`; credentials as `nats://user:password@host`. */
  url: string
  log: FastifyBaseLogger
  /** Messages that this connection publishes are not delivered to its own subscriptions. */
  noEcho?: boolean
}

/** A connection to a NATS cluster, which reconnects to any of its servers. */
export type Nats = {
  readonly connection: NatsConnection
  /** False while the connection is broken. */
  isConnected(): boolean
  /** True if the server belongs to a cluster, so that streams can have several replicas. */
  isClustered(): boolean
  /** Calls back whenever the connection is back. */
  onReconnect(listener: () => void): void
  close(): Promise<void>
}

const timing = {
  connectMs: 5_000,
  pingMs: 3_000,
  retryMs: 250,
  jitterMs: 250,
  startRetryMs: 500,
  startTimeoutMs: 60_000,
}
/** A server that misses this many pings counts as disconnected. */
const maxPings = 2

/**
 * Connects to NATS. Waits up to a minute for a server, because a cluster may start together with its clients.
 *
 * @throws Error with a sentence if no server can be reached
 * @example const nats = await connectNats({ url: 'nats://127.0.0.1:4222', log })
 */
export async function connectNats({ url, log, noEcho = false }: NatsOptions): Promise<Nats> {
  const connection = await connectWithRetries({ ...toConnectionOptions(url), noEcho }, log)
  const listeners = new Set<() => void>()
  let isConnected = true
  void watchStatus(connection, (type) => {
    if (type === 'disconnect') {
      isConnected = false
      log.warn('the connection to NATS is lost; reconnecting')
    }
    if (type !== 'reconnect') return
    isConnected = true
    for (const listener of listeners) listener()
  })
  return {
    connection,
    isConnected: () => isConnected && !connection.isClosed(),
    isClustered: () => connection.info?.cluster !== undefined,
    onReconnect: (listener) => void listeners.add(listener),
    close: () => connection.close(),
  }
}

type ConnectOptions = NonNullable<Parameters<typeof connect>[0]>

async function connectWithRetries(options: ConnectOptions, log: FastifyBaseLogger): Promise<NatsConnection> {
  const end = performance.now() + timing.startTimeoutMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect(options)
    } catch (cause) {
      if (performance.now() > end) {
        throw new Error('NATS cannot be reached. Start it, or leave RELAY_STORE_URL out.', { cause })
      }
      if (attempt === 1) log.warn('NATS cannot be reached. Connecting again.')
      await sleep(timing.startRetryMs)
    }
  }
}

/** Splits the URL, which may name several servers, into options of the client. */
function toConnectionOptions(url: string): ConnectOptions {
  const [scheme = '', rest = ''] = url.split('://')
  const at = rest.lastIndexOf('@')
  const [user, pass] = at === -1 ? [] : rest.slice(0, at).split(':').map(decodeURIComponent)
  const servers = rest
    .slice(at + 1)
    .replace(/\/$/, '')
    .split(',')
  return {
    servers,
    ...(user === undefined ? {} : { user }),
    ...(pass === undefined ? {} : { pass }),
    ...(scheme === 'tls' ? { tls: {} } : {}),
    name: 'latchkey',
    // A stack for each request costs more than the rest of it.
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: timing.retryMs,
    reconnectJitter: timing.jitterMs,
    timeout: timing.connectMs,
    pingInterval: timing.pingMs,
    maxPingOut: maxPings,
  }
}

async function watchStatus(connection: NatsConnection, listener: (type: string) => void): Promise<void> {
  for await (const { type } of connection.status()) listener(type)
}
