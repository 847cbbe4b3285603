import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { ServerConfig } from '../config.ts'
import type { Bus } from '../kit/bus/bus.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import type { Database } from '../kit/database/database.ts'
import { migrate } from '../kit/database/migrations.ts'
import type { RateLimiters } from '../kit/limits/rateLimiters.ts'
import type { Access } from '../kit/http/access.ts'
import { createSafeFetch } from '../kit/http/safeFetch.ts'
import type { Tracing } from '../kit/tracing/tracing.ts'
import type { Upgrades } from '../kit/http/upgrades.ts'
import { loadBridgeIdentity } from './bridge/bridgeIdentity.ts'
import { createBridge, type Bridge } from './bridge/bridge.ts'
import { openRelayStorage, type RelayStorageOptions } from './openRelayStorage.ts'
import { relayLimits, type RelayLimits } from './relayVariables.ts'
import { loadRelayIdentity, type RelayIdentity } from './relayIdentity.ts'
import { createRelay, type Relay } from './createRelay.ts'
import type { ProcessWatch } from '../kit/database/watchProcesses.ts'
import { createRelayMetrics, type RelayMetrics } from './relayMetrics.ts'
import { countMessageGroups, observeStoredMessages } from './observeStoredMessages.ts'
import { methodNames } from './methods/index.ts'
import { watchesUnavailable } from './errors.ts'
import type { IngestMessage } from './mailbox/ingestMessage.ts'
import type { Mailbox } from './mailbox/mailbox.ts'
import { watchStores } from './mailbox/watchStores.ts'
import { relayMigrations } from '../schema/relayMigrations.ts'
import { openPushGateway } from './push/openPushGateway.ts'
import { createWatches, type Watches } from './watches/watches.ts'

export type RelayServiceDependencies = {
  database: Database
  bus: Bus
  rateLimiters: RateLimiters
  clock: Clock
  access: Access
  upgrades: Upgrades
  processes: Pick<ProcessWatch<'relay'>, 'onOther'>
  /** The counters of this process. */
  metrics: Registry
  tracing?: Tracing | undefined
}

/** The relay with its watches, and with the bridge to another relay if one is configured. */
export type RelayService = {
  /** The status of the bridge, if there is one. */
  upstream(): ReturnType<Bridge['status']> | undefined
  /** True while messages can't be stored, for example because a disk is full. */
  isStorageFailing(): boolean
  /** Starts outgoing connections, once clients can connect. */
  open(): void
  close(): Promise<void>
}

/** Migrates the database, creates the relay, and mounts it on a server. */
export async function mountRelayService(
  app: FastifyInstance,
  config: ServerConfig,
  dependencies: RelayServiceDependencies,
): Promise<RelayService> {
  const { log } = app
  const { database, bus, clock, upgrades } = dependencies
  if (acceptsForeignTokens(config)) log.warn('RELAY_URLS is not set: tokens for other relays are accepted')
  await migrate(database.kysely, relayMigrations, 'relay')
  const limits = toLimits(config)
  const metrics = observeRelay(dependencies)
  const relayIdentity = await loadRelayIdentity(database.kysely)
  const identity = config.upstream && (await loadBridgeIdentity(database.kysely))
  const { mailbox, isStorageFailing, ceilings, ...storage } = await openWatchedStorage({
    database: countMessageGroups(database, metrics),
    clock,
    log,
    limits,
    identity: relayIdentity,
    bridgeClientId: identity?.clientId,
    store: config.relayStore,
    tracing: dependencies.tracing,
  })
  // The relay and the bridge need each other; no message arrives before both exist.
  const ingest: IngestMessage = (message) => relay.ingest(message)
  const bridge =
    config.upstream &&
    identity &&
    createBridge({ upstream: config.upstream, identity, mailbox, ingest, bus, clock, log })
  const watches = await openWatches(config, { ...dependencies, identity: relayIdentity, log })
  const push = await openPush(config, { ...dependencies, identity: relayIdentity, limits, mailbox, watches, log })
  const relay = createRelay({
    ...dependencies,
    mailbox,
    ceilings,
    limits,
    audiences: () => config.relayUrls,
    trustedProxies: config.trustedProxies,
    watches,
    metrics,
    log,
    observers: [bridge, push?.gateway].flatMap((each) => each?.observer ?? []),
  })
  pollForOthers(dependencies, relay, log)
  for (const plugin of [relay.http, push?.http]) if (plugin !== undefined) await app.register(plugin)
  upgrades.handle(['/relay', '/'], relay.upgrade)

  return {
    upstream: () => bridge?.status(),
    isStorageFailing,
    open() {
      bridge?.open()
      watches.open()
      push?.gateway.open()
    },
    async close() {
      for (const part of [relay, bridge, watches, push?.gateway, storage]) await part?.close()
    },
  }
}

/** Opens the storage of the relay, and watches whether messages can be stored. */
async function openWatchedStorage(options: RelayStorageOptions) {
  const storage = await openRelayStorage(options)
  const { mailbox, isFailing } = watchStores(storage.mailbox, options.clock)
  return { ...storage, mailbox, isStorageFailing: isFailing }
}

/** Lets the relay poll for messages of other processes if the bus does not carry them. */
function pollForOthers({ bus, processes }: RelayServiceDependencies, relay: Relay, log: FastifyBaseLogger): void {
  processes.onOther('relay', () => {
    if (bus.spansProcesses) return
    log.warn(
      'Another relay process uses this database, and REDIS_URL is not set: messages between them arrive some seconds late.',
    )
    relay.startPolling()
  })
}

/** Creates the metrics of the relay, with those of its database. */
function observeRelay({ metrics, ...dependencies }: RelayServiceDependencies): RelayMetrics {
  observeStoredMessages(metrics, dependencies)
  return createRelayMetrics(metrics, methodNames)
}

type WatchDependencies = Pick<RelayServiceDependencies, 'database' | 'bus' | 'clock'> & {
  identity: RelayIdentity
  log: FastifyBaseLogger
}

/** Creates the watches. They join messages in the database: without them there, a webhook would never be called. */
async function openWatches(
  config: ServerConfig,
  { database, identity, bus, clock, log }: WatchDependencies,
): Promise<Watches> {
  const watches = await createWatches({
    database: database.kysely,
    identity,
    http: createSafeFetch({ allowPrivate: config.webhooks === 'any' }),
    audiences: () => config.relayUrls,
    bus,
    clock,
    log,
  })
  if (config.relayStore === undefined) return watches
  return { ...watches, register: () => Promise.reject(watchesUnavailable()) }
}

type PushDependencies = RelayServiceDependencies & {
  identity: RelayIdentity
  limits: RelayLimits
  mailbox: Mailbox
  watches: Pick<Watches, 'listActiveTopics'>
  log: FastifyBaseLogger
}

/** Opens the push gateway if it is configured. */
async function openPush(config: ServerConfig, { identity, watches, ...dependencies }: PushDependencies) {
  if (config.push === undefined) return undefined
  return openPushGateway(config.push, {
    ...dependencies,
    hash: identity.hash,
    listActiveTopics: watches.listActiveTopics,
    audiences: () => config.relayUrls,
    trustedProxies: config.trustedProxies,
    allowPrivate: config.webhooks === 'any',
  })
}

function toLimits({ limits, relayLimits: set, messageBytes, relayMaxTtl }: ServerConfig): RelayLimits {
  return { ...relayLimits(limits, set), messageBytes, maxTtl: relayMaxTtl }
}

function acceptsForeignTokens({ host, relayUrls }: ServerConfig): boolean {
  return relayUrls.length === 0 && !['127.0.0.1', '::1', 'localhost'].includes(host)
}
