import type { FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import type { Database } from '../../kit/database/database.ts'
import { createSafeFetch } from '../../kit/http/safeFetch.ts'
import { createPushGateway, type PushGateway, type PushGatewayDependencies } from './createPushGateway.ts'
import { pushHttp, type PushHttpDependencies } from './pushHttp.ts'
import { createPushMetrics } from './pushMetrics.ts'
import type { PushService } from './pushService.ts'
import type { PushConfig } from './pushVariables.ts'
import { createApns } from './services/createApns.ts'
import { createFcm } from './services/createFcm.ts'
import { createWebPush } from './services/createWebPush.ts'
import { loadVapidKey } from './services/vapidKey.ts'

export type OpenPushGatewayDependencies = Omit<
  PushGatewayDependencies,
  'database' | 'services' | 'metrics' | 'limits'
> &
  Omit<PushHttpDependencies, 'gateway' | 'webKey'> & {
    database: Database
    metrics: Registry
    rateLimiters: PushGatewayDependencies['rateLimiters'] & PushHttpDependencies['rateLimiters']
    /** True if endpoints may have private addresses; for tests. */
    allowPrivate: boolean
  }

/** A row takes up to 3 kB: 2 million are some gigabytes. */
const registrationLimits = { perSource: 1_000, total: 2_000_000, topicsPerClient: 1_000 } as const

/** Opens the gateway with the configured push services. */
export async function openPushGateway(
  config: PushConfig,
  dependencies: OpenPushGatewayDependencies,
): Promise<{ gateway: PushGateway; http: FastifyPluginAsync }> {
  const { clock, metrics, allowPrivate } = dependencies
  const database = dependencies.database.kysely
  const key = await loadVapidKey(database, config.contact, clock)
  const services: PushService[] = [
    createWebPush({ key, hosts: config.hosts, http: createSafeFetch({ allowPrivate }), clock }),
  ]
  if (config.fcm !== undefined) services.push(createFcm({ account: config.fcm, http: createSafeFetch(), clock }))
  if (config.apns !== undefined) {
    for (const name of ['apns', 'apns-sandbox'] as const) {
      services.push(createApns({ name, key: config.apns, http: createSafeFetch({ http2: true }), clock }))
    }
  }
  const gateway = createPushGateway({
    ...dependencies,
    database,
    services,
    metrics: createPushMetrics(metrics),
    limits: registrationLimits,
  })
  return { gateway, http: pushHttp({ ...dependencies, gateway, webKey: key.publicKey }) }
}
