import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import type { Api } from './api/mountApi.ts'
import type { ServerConfig, ServiceName } from './config.ts'
import { createInProcessBus, type Bus } from './kit/bus/bus.ts'
import { systemClock, type Clock } from './kit/runtime/clock.ts'
import { loadService } from './kit/runtime/loadService.ts'
import { openDatabase, type Database } from './kit/database/database.ts'
import { watchProcesses, type ProcessWatch } from './kit/database/watchProcesses.ts'
import { createAccess, refuseBannedAddresses, type Access } from './kit/http/access.ts'
import { createHttp } from './kit/http/createHttp.ts'
import { limitWidePrefixes } from './kit/limits/limitWidePrefixes.ts'
import { createInProcessRateLimiters, type RateLimiters } from './kit/limits/rateLimiters.ts'
import { connectRedisRateLimiters } from './kit/limits/redisRateLimiters.ts'
import { connectRedisBus } from './kit/bus/redisBus.ts'
import { serveMetrics, type MetricsServer } from './kit/metrics/serveMetrics.ts'
import { watchForwardedHeaders } from './kit/http/watchForwardedHeaders.ts'
import { traceRequests } from './kit/tracing/traceRequests.ts'
import { traceStatements } from './kit/tracing/traceStatements.ts'
import type { Tracing } from './kit/tracing/tracing.ts'
import { createUpgrades } from './kit/http/upgrades.ts'
import { watchAccess } from './operations/access/watchAccess.ts'
import { mountHealth } from './operations/mountHealth.ts'
import { createOperatorRoutes } from './operations/operatorRoutes.ts'
import { version } from './operations/version.ts'
import { observeServer } from './operations/observeServer.ts'
import { mountLogin, type EmbeddedWalletServices } from './login/mountLogin.ts'
import { mountRelayService, type RelayService } from './relay/mountRelayService.ts'

/** A running server. */
export type RunningServer = {
  url: string
  /** The URL of the relay's websockets. */
  relayUrl: string
  /** The URL of the embedded wallet's frame, if this process serves it. */
  frameUrl: string | undefined
  /** The URL of the metrics, if they are served. */
  metricsUrl: string | undefined
  /** Disconnects clients, finishes pending work, and closes everything in reverse order. */
  close(): Promise<void>
}

/**
 * Starts the server: database, bus, the configured services, and the port.
 *
 * @throws Error with a sentence if the database cannot be used or the port is taken
 * @example const server = await startServer(readConfig(process.env))
 */
export async function startServer(
  config: ServerConfig,
  { clock = systemClock, metrics = new Registry() }: { clock?: Clock; metrics?: Registry } = {},
): Promise<RunningServer> {
  const access = createAccess({ ...config, own: ownPages(config) })
  const { projects } = access
  const app = await createHttp({ logLevel: config.logLevel, projects })
  const tracing = await openTraces(config, app)
  refuseBannedAddresses(app, access)
  const forwarded = watchForwardedHeaders(app, config.trustedProxies)
  const observeStatement = tracing && traceStatements(tracing)
  const database = await openDatabase(config, app.log, observeStatement)
  const shared = await openSharedState(config, clock, app.log).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  // Counting is cheap, but the default metrics watch the garbage collector.
  if (config.metrics !== undefined) observeServer(metrics, config, { app, database, ...shared })
  const upgrades = createUpgrades(app.server, access)
  const common = { database, ...shared, clock, projects, access, metrics, tracing, observeStatement }
  let watches: DatabaseWatches | undefined
  let metricsServer: MetricsServer | undefined
  let relay: RelayService | undefined
  let api: Api | undefined
  let login: EmbeddedWalletServices | undefined
  const close = async (): Promise<void> => {
    await metricsServer?.close()
    await relay?.close()
    await app.close()
    await api?.close()
    await login?.close()
    await watches?.close()
    await shared.rateLimiters.close()
    await shared.bus.close()
    await database.close()
    await tracing?.close()
  }
  try {
    watches = await watchDatabase(config, { database, ...shared, access, log: app.log })
    const given = { ...common, upgrades, processes: watches.processes }
    if (config.services.includes('relay')) relay = await mountRelayService(app, config, given)
    if (config.services.includes('api')) {
      const { mountApi } = await loadService('api', () => import('./api/mountApi.ts'))
      api = await mountApi(app, config, given)
    }
    login = await mountLogin(app, config, given)
    mountHealth(app, config, { ...given, relay, api, forwarded })
    metricsServer = await openMetrics(metrics, config)
    const address = await listenOn(app, config)
    relay?.open()
    api?.begin(address.url)
    return { ...address, ...(await login.open(address.url)), metricsUrl: metricsServer?.url, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens the traces if they are on, whose modules are loaded only then, and traces the requests of the server. */
async function openTraces({ tracing: config }: ServerConfig, app: FastifyInstance): Promise<Tracing | undefined> {
  if (config === undefined) return undefined
  const { openTracing } = await import('./kit/tracing/openTracing.ts')
  const tracing = openTracing({ ...config, version, log: app.log })
  traceRequests(app, tracing)
  return tracing
}

/** Serves the metrics and the page of the operator, if they are configured. */
async function openMetrics(metrics: Registry, { metrics: address }: ServerConfig): Promise<MetricsServer | undefined> {
  return address && serveMetrics(metrics, address, createOperatorRoutes(metrics))
}

/** The lock of each service, which all versions share. */
const lockIds = { relay: 20, api: 21, auth: 22, shares: 23, frame: 24 } as const

type WatchDependencies = { database: Database; rateLimiters: RateLimiters; access: Access; log: FastifyBaseLogger }

/** The parts of the database that this process follows. */
type DatabaseWatches = { processes: ProcessWatch<ServiceName>; close(): Promise<void> }

/**
 * Follows projects and bans, and other processes. Limits multiply if another process runs a service of this one and they share
 * none, which is logged.
 */
async function watchDatabase(
  { services }: ServerConfig,
  { database, rateLimiters, access, log }: WatchDependencies,
): Promise<DatabaseWatches> {
  const stopWatchingAccess = await watchAccess({ database, access, log })
  const processes = await watchProcesses({ database, services, ids: lockIds, log }).catch(async (error: unknown) => {
    await stopWatchingAccess()
    throw error
  })
  for (const service of rateLimiters.spansProcesses ? [] : services) {
    processes.onOther(service, () =>
      log.warn(
        { service },
        'Another process runs this service on the same database, and REDIS_URL is not set: clients get each limit once per process.',
      ),
    )
  }
  return {
    processes,
    async close() {
      await processes.close()
      await stopWatchingAccess()
    },
  }
}

/** The frame sends requests on behalf of any page that embeds it. */
function ownPages({ login: { frame } }: ServerConfig): readonly string[] {
  return frame.url === undefined ? [] : [frame.url]
}

/** Opens the state that several processes share over Redis or NATS, or its counterpart in a single process. */
async function openSharedState(
  { redisUrl, relayStore }: ServerConfig,
  clock: Clock,
  log: FastifyBaseLogger,
): Promise<{ bus: Bus; rateLimiters: RateLimiters }> {
  if (redisUrl === undefined) {
    return { bus: await openBus(relayStore, log), rateLimiters: limitWidePrefixes(createInProcessRateLimiters(clock)) }
  }
  const bus = await connectRedisBus({ url: redisUrl, log })
  try {
    return { bus, rateLimiters: limitWidePrefixes(await connectRedisRateLimiters({ url: redisUrl, clock, log })) }
  } catch (error) {
    await bus.close()
    throw error
  }
}

/** Connects to the NATS that stores the messages of the relay. Its client is loaded only then. */
async function openBus(relayStore: ServerConfig['relayStore'], log: FastifyBaseLogger): Promise<Bus> {
  if (relayStore === undefined) return createInProcessBus()
  const { connectNatsBus } = await import('./kit/bus/natsBus.ts')
  return connectNatsBus({ ...relayStore, log })
}

/**
 * Connections that the system accepts before the process does. Node's 511 overflow when many clients reconnect, and a connection
 * that overflows looks open to its client for minutes.
 */
const maxWaitingConnections = 4_096

async function listenOn(
  app: FastifyInstance,
  { host, port }: ServerConfig,
): Promise<{ url: string; relayUrl: string }> {
  await app.listen({ host, port, backlog: maxWaitingConnections }).catch((cause: unknown) => {
    const isTaken = cause instanceof Error && Reflect.get(cause, 'code') === 'EADDRINUSE'
    throw isTaken ? new Error(`Port ${port} is taken. Free it, or set PORT to another one.`, { cause }) : cause
  })
  // The address of a server that listens on a port has this type.
  const { port: actual } = app.server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${actual}`, relayUrl: `ws://${name}:${actual}/relay` }
}
