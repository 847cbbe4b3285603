import type { FastifyInstance } from 'fastify'
import type { ServerConfig } from '../config.ts'
import type { Bus } from '../kit/bus.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import { migrate } from '../kit/migrations.ts'
import type { Projects } from '../kit/projects.ts'
import { createSafeFetch } from '../kit/safeFetch.ts'
import type { Upgrades } from '../kit/upgrades.ts'
import { readIdentity } from './bridge/identity.ts'
import { createBridge, type Bridge } from './bridge/index.ts'
import { relayLimits } from './config.ts'
import { readRelayIdentity } from './identity.ts'
import { createRelay } from './index.ts'
import { relayMigrations } from './migrations.ts'
import { createPostgresMailbox } from './postgresMailbox.ts'
import { createWatches } from './watches/index.ts'

export type RelayServiceParts = { database: Database; bus: Bus; clock: Clock; projects: Projects; upgrades: Upgrades }

/** The relay with what belongs to it: watches, and the bridge to another relay where one is configured. */
export type RelayService = {
  /** What the bridge is doing, where there is one. */
  upstream(): ReturnType<Bridge['status']> | undefined
  /** Begins what goes out from here by itself, once clients can come in. */
  open(): void
  close(): Promise<void>
}

/** Brings the database up to date, makes the relay, and mounts it on a server. */
export async function mountRelayService(
  app: FastifyInstance,
  config: ServerConfig,
  { database, bus, clock, projects, upgrades }: RelayServiceParts,
): Promise<RelayService> {
  const { log } = app
  if (isPublic(config)) log.warn('RELAY_URLS is not set: tokens that were made for other relays are taken too')
  await migrate(database.kysely, relayMigrations)
  const limits = { ...relayLimits(config.limits, config.relayLimits), messageBytes: config.messageBytes }
  const audiences = (): readonly string[] => config.relayUrls
  const { upstream } = config
  const carrier = upstream && (await readIdentity(database.kysely))
  const mailbox = createPostgresMailbox({ database, clock, limits: limits.mailbox, carrier: carrier?.clientId })
  const bridge =
    upstream &&
    carrier &&
    createBridge({
      upstream,
      identity: carrier,
      mailbox,
      // The two need each other; nothing comes in before both are there.
      intake: (publication) => relay.intake(publication),
      bus,
      clock,
      log,
    })
  const watches = await createWatches({
    database: database.kysely,
    identity: await readRelayIdentity(database.kysely),
    http: createSafeFetch({ allowPrivate: config.webhooks === 'any' }),
    audiences,
    bus,
    clock,
    log,
  })
  const { trustedProxies } = config
  const taps = bridge === undefined ? [] : [bridge.tap]
  const relay = createRelay({ mailbox, bus, clock, projects, limits, audiences, trustedProxies, watches, taps, log })
  await app.register(relay.http)
  upgrades.on(['/relay', '/'], relay.upgrade)

  return {
    upstream: () => bridge?.status(),
    open() {
      bridge?.open()
      watches.open()
    },
    async close() {
      await relay.close()
      await bridge?.close()
      await watches.close()
    },
  }
}

function isPublic({ host, relayUrls }: ServerConfig): boolean {
  return relayUrls.length === 0 && !['127.0.0.1', '::1', 'localhost'].includes(host)
}
