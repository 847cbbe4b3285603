import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { Bus } from '../kit/bus/bus.ts'
import type { Access } from '../kit/http/access.ts'
import type { RateLimiters } from '../kit/limits/rateLimiters.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import type { Tracing } from '../kit/tracing/tracing.ts'
import type { RelayLimits } from './relayVariables.ts'
import { openClientSession } from './connections/openClientSession.ts'
import { relayHttp } from './connections/relayHttp.ts'
import { serveRelaySocket } from './connections/relaySocket.ts'
import { createRelayUpgrades } from './connections/relayUpgrades.ts'
import { createMessageBroker } from './delivery/messageBroker.ts'
import { pollUndelivered } from './delivery/pollUndelivered.ts'
import { createAddressMemory } from './limits/addressMemory.ts'
import { createClientQuotas } from './limits/clientQuotas.ts'
import type { StorageCeilings } from './limits/storageCeilings.ts'
import { createIngestMessage, type IngestMessage } from './mailbox/ingestMessage.ts'
import type { Mailbox } from './mailbox/mailbox.ts'
import type { RelayMetrics } from './relayMetrics.ts'
import { combineObservers, type RelayObserver } from './relayObserver.ts'
import type { Watches } from './watches/watches.ts'

export type RelayDependencies = {
  mailbox: Mailbox
  bus: Bus
  rateLimiters: RateLimiters
  clock: Clock
  access: Access
  limits: RelayLimits
  ceilings: StorageCeilings
  /** Addresses that clients may name as this relay's; empty accepts any. */
  audiences(): readonly string[]
  trustedProxies: number
  watches: Watches
  metrics: RelayMetrics
  observers?: readonly RelayObserver[]
  tracing?: Tracing | undefined
  log: FastifyBaseLogger
}

/** The relay: upgrades connections and serves them. */
export type Relay = {
  /** Upgrades a connection to a websocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Serves single requests over HTTP. */
  readonly http: FastifyPluginAsync
  /** Stores and delivers a message that did not come from a client's connection. */
  readonly ingest: IngestMessage
  /** Polls the mailbox for messages of processes that the bus does not reach. */
  startPolling(): void
  /** Disconnects the clients, each after a random delay, and waits for pending writes. */
  close(): Promise<void>
}

/** Expired messages count for the quotas of their publishers until they are deleted. */
const deleteExpiredIntervalMs = 5_000

/** Creates the relay. It does not listen by itself. */
export function createRelay(dependencies: RelayDependencies): Relay {
  const { mailbox, bus, clock, limits, ceilings, watches, metrics, tracing, log } = dependencies
  const broker = createMessageBroker(bus)
  const memory = createAddressMemory(limits.memoryPerAddress)
  metrics.watchMemory(memory)
  const quotas = createClientQuotas(limits, dependencies.rateLimiters, memory)
  const observer = combineObservers([...(dependencies.observers ?? []), watches.observer])
  const shared = { limits, quotas, ceilings, mailbox, broker, observer, watches, metrics, tracing, clock, log, onFault }
  const upgrades = createRelayUpgrades({
    ...dependencies,
    serve: (socket, client, stream) => serveRelaySocket({ ...shared, ...client, memory, socket, stream }),
  })
  mailbox.onRenumbered?.(broker.notifyRenumbering)
  let stopPolling: (() => void) | undefined
  const startPolling = (): void => {
    stopPolling ??= pollUndelivered(mailbox, broker, log)
  }
  if (bus.spansProcesses) startPolling()
  const expiryTimer = setInterval(createExpiry(mailbox, log), deleteExpiredIntervalMs)

  let lastFault: unknown
  /** Requests that share a query fail with the same error, which is reported once. */
  function onFault(error: unknown): void {
    metrics.countFault()
    if (error === lastFault) return
    lastFault = error
    log.error({ reason: error instanceof Error ? error.message : String(error) }, 'relay fault')
  }

  return {
    http: relayHttp({
      ...dependencies,
      // Nothing can be pushed to a client without a connection.
      openSession: (client) => openClientSession({ ...shared, ...client, push: () => false, forgetSent: () => {} }),
      onFault,
    }),
    ingest: createIngestMessage({ mailbox, ceilings, broker, observer }),
    upgrade: upgrades.upgrade,
    startPolling,
    async close() {
      clearInterval(expiryTimer)
      stopPolling?.()
      await upgrades.drain()
      await mailbox.idle()
      await ceilings.close()
      upgrades.close()
    },
  }
}

/** Creates a function that deletes expired messages, unless it still does so. */
function createExpiry(mailbox: Mailbox, log: FastifyBaseLogger): () => void {
  let isDeleting = false
  return () => {
    if (isDeleting) return
    isDeleting = true
    mailbox
      .deleteExpired()
      .catch(() => log.warn('expired messages could not be deleted'))
      .finally(() => (isDeleting = false))
  }
}
