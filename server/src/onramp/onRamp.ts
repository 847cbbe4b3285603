import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { ProjectGuard } from '../api/http/projectGuard.ts'
import type { Chain } from '../kit/chain/chains.ts'
import { clientAddress } from '../kit/http/clientAddress.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import type { Database } from '../kit/database/database.ts'
import type { Endpoint } from '../kit/http/defineEndpoint.ts'
import { migrate } from '../kit/database/migrations.ts'
import type { EndpointPools } from '../kit/chain/endpointPools.ts'
import { assertWithinLimit } from '../kit/limits/assertWithinLimit.ts'
import type { RateLimiters } from '../kit/limits/rateLimiters.ts'
import type { Rate } from '../kit/limits/tokenBucket.ts'
import type { OnRampConfig } from './config.ts'
import { createCoinbase } from './coinbase/coinbase.ts'
import { createOnRampEndpoints } from './onRampEndpoints.ts'
import { createMeld } from './meld/meld.ts'
import type { OnRampProvider } from './onRampProvider.ts'
import { createCheckout } from './sandbox/checkout.ts'
import { onrampMigrations } from '../schema/onrampMigrations.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import { serveSandbox } from './sandbox/serveSandbox.ts'
import { createSandboxStore } from './sandbox/sandboxStore.ts'
import { createTreasury } from './sandbox/treasury.ts'

export type OnRampDependencies = {
  config: OnRampConfig
  profile: 'public' | 'local'
  database: Database
  chains: readonly Chain[]
  pools: EndpointPools
  clock: Clock
  rateLimiters: RateLimiters
  log: FastifyBaseLogger
  trustedProxies: number
  /** The URL at which browsers reach this server. Set once the server listens. */
  place: { pictures: string }
}

/** Purchases of crypto assets with money, from the configured providers. */
export type OnRamp = {
  /** The endpoints, grouped by the guard that protects them. */
  endpoints(
    guard: (name: string, rate: Rate) => ProjectGuard,
    reads: ProjectGuard,
  ): readonly (readonly [ProjectGuard, readonly Endpoint[]])[]
  /** Mounts the payment pages. */
  serve(app: FastifyInstance): void
  /** Continues the delivery of paid purchases. */
  begin(): void
}

type Limits = { quotes: Rate; pages: Rate; forms: Rate }

const limits: Readonly<Record<OnRampDependencies['profile'], Limits>> = {
  public: {
    quotes: { perSecond: 2, burst: 20 },
    pages: { perSecond: 0.5, burst: 30 },
    forms: { perSecond: 1, burst: 30 },
  },
  local: {
    quotes: { perSecond: 1_000, burst: 5_000 },
    pages: { perSecond: 1_000, burst: 5_000 },
    forms: { perSecond: 1_000, burst: 5_000 },
  },
}

/** Opens the on-ramp. Without a configured provider it offers nothing. */
export async function openOnRamp(dependencies: OnRampDependencies): Promise<OnRamp> {
  const { config, chains, trustedProxies, clock } = dependencies
  const sandbox = config.sandbox === undefined ? undefined : await openSandbox(dependencies, config.sandbox)
  const providers: readonly OnRampProvider[] = [
    ...(sandbox === undefined ? [] : [sandbox.provider]),
    ...(config.coinbase === undefined ? [] : [createCoinbase(config.coinbase, clock)]),
    ...(config.meld === undefined ? [] : [createMeld(config.meld)]),
  ]
  const { quotes, pages } = limits[dependencies.profile]
  const endpoints = createOnRampEndpoints({ providers, chains, trustedProxies })
  return {
    endpoints: (guard, reads) => [
      [reads, endpoints.reads],
      [guard('on-ramp-quotes', quotes), endpoints.quotes],
      [guard('on-ramp-pages', pages), endpoints.pages],
    ],
    serve: (app) => sandbox?.serve(app),
    begin: () => sandbox?.begin(),
  }
}

type Sandbox = Pick<OnRamp, 'serve' | 'begin'> & { provider: OnRampProvider }

async function openSandbox(
  dependencies: OnRampDependencies,
  { key, rates }: NonNullable<OnRampConfig['sandbox']>,
): Promise<Sandbox> {
  const { database, chains, pools, clock, rateLimiters, log, place, profile, trustedProxies } = dependencies
  await migrate(database.kysely, onrampMigrations, 'onramp')
  const store = createSandboxStore(database)
  const treasury = createTreasury({ key, chains, pools, store, log })
  const limiter = rateLimiters.create('onramp/forms', limits[profile].forms)
  return {
    provider: createSandbox({ rates, chains, store, treasury, clock, origin: () => place.pictures }),
    serve: (app) =>
      serveSandbox(app, {
        store,
        checkout: createCheckout({ store, treasury, clock }),
        limit: (request) => assertWithinLimit(limiter, clientAddress(request.raw, trustedProxies)),
      }),
    begin() {
      const settleAll = async (): Promise<void> => {
        for (const id of await store.owed()) await treasury.settle(id)
      }
      settleAll().catch((error: unknown) => log.warn({ err: error }, 'unpaid deliveries could not be loaded'))
    },
  }
}
