import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import type { ServerConfig } from '../config.ts'
import type { Bus } from '../kit/bus/bus.ts'
import type { Database } from '../kit/database/database.ts'
import type { RateLimiters } from '../kit/limits/rateLimiters.ts'
import { observeDatabase } from '../kit/metrics/observeDatabase.ts'
import { observeRequests } from '../kit/metrics/observeRequests.ts'
import { version } from './version.ts'

/** The parts of the server that its metrics describe. */
export type ObservedServer = {
  app: FastifyInstance
  database: Database
  bus: Pick<Bus, 'isReachable'>
  rateLimiters: Pick<RateLimiters, 'isReachable'>
}

/** Reports what all services share: the process, its requests, the database, and the state that processes share. */
export function observeServer(
  registry: Registry,
  { commitHash = 'unknown', services }: ServerConfig,
  { app, database, bus, rateLimiters }: ObservedServer,
): void {
  collectDefaultMetrics({ register: registry })
  observeRequests(app, registry)
  observeDatabase(registry, database)
  const add = (name: string, help: string, value: () => number): void =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(value())
        },
      }),
    )
  add('latchkey_bus_up', '1 if messages of other processes can arrive.', () => Number(bus.isReachable()))
  add('latchkey_limiter_store_up', '1 if the store of the rate limits responds.', () =>
    Number(rateLimiters.isReachable()),
  )
  const build = new Gauge({
    name: 'latchkey_build_info',
    help: 'Always 1. The labels name the release.',
    labelNames: ['version', 'commit'],
    registers: [registry],
  })
  build.set({ version, commit: commitHash }, 1)
  const running = new Gauge({
    name: 'latchkey_service',
    help: '1 for each service of the process.',
    labelNames: ['service'],
    registers: [registry],
  })
  for (const service of services) running.set({ service }, 1)
}
