import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Guard } from '../api/guard.ts'
import type { Chain } from '../kit/chains.ts'
import { clientAddress } from '../kit/clientAddress.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { migrate } from '../kit/migrations.ts'
import type { Pools } from '../kit/pools.ts'
import { Problem } from '../kit/problem.ts'
import { createTokenBuckets, type Rate } from '../kit/tokenBucket.ts'
import type { OnRampConfig } from './config.ts'
import { createCoinbase } from './coinbase/coinbase.ts'
import { onRampEndpoints } from './endpoints.ts'
import { createMeld } from './meld/meld.ts'
import type { OnRampProvider } from './provider.ts'
import { createCheckout } from './sandbox/checkout.ts'
import { sandboxMigrations } from './sandbox/migrations.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import { serveSandbox } from './sandbox/serve.ts'
import { createSandboxStore } from './sandbox/store.ts'
import { createTreasury } from './sandbox/treasury.ts'

export type OnRampParts = {
  config: OnRampConfig
  profile: 'public' | 'local'
  database: Database
  chains: readonly Chain[]
  pools: Pools
  clock: Clock
  log: FastifyBaseLogger
  trustedProxies: number
  /** Where browsers reach this server; known once it listens. */
  place: { pictures: string }
}

/** Buying coins with money, from whoever is configured to sell them. */
export type OnRamp = {
  /** Endpoints with the guards that they are behind. */
  endpoints(guard: (rate: Rate) => Guard, reads: Guard): readonly (readonly [Guard, readonly Endpoint[]])[]
  /** Mounts the pages that people pay on. */
  serve(app: FastifyInstance): void
  /** Goes on with what was paid for and has not arrived. */
  begin(): void
}

type Limits = { quotes: Rate; pages: Rate; forms: Rate }

const limits: Readonly<Record<OnRampParts['profile'], Limits>> = {
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

/** Opens the on-ramp; without a configured provider it offers nothing. */
export async function openOnRamp(parts: OnRampParts): Promise<OnRamp> {
  const { config, chains, trustedProxies, clock } = parts
  const sandbox = config.sandbox === undefined ? undefined : await openSandbox(parts, config.sandbox)
  const providers: readonly OnRampProvider[] = [
    ...(sandbox === undefined ? [] : [sandbox.provider]),
    ...(config.coinbase === undefined ? [] : [createCoinbase(config.coinbase, clock)]),
    ...(config.meld === undefined ? [] : [createMeld(config.meld)]),
  ]
  const { quotes, pages } = limits[parts.profile]
  const asked = onRampEndpoints({ providers, chains, trustedProxies })
  return {
    endpoints: (guard, reads) => [
      [reads, asked.reads],
      [guard(quotes), asked.quotes],
      [guard(pages), asked.pages],
    ],
    serve: (app) => sandbox?.serve(app),
    begin: () => sandbox?.begin(),
  }
}

type Sandbox = Pick<OnRamp, 'serve' | 'begin'> & { provider: OnRampProvider }

async function openSandbox(parts: OnRampParts, { key, rates }: NonNullable<OnRampConfig['sandbox']>): Promise<Sandbox> {
  const { database, chains, pools, clock, log, place, profile, trustedProxies } = parts
  await migrate(database.kysely, sandboxMigrations, 'onramp')
  const store = createSandboxStore(database)
  const treasury = createTreasury({ key, chains, pools, store, log })
  const buckets = createTokenBuckets(limits[profile].forms, clock)
  return {
    provider: createSandbox({ rates, chains, store, treasury, clock, origin: () => place.pictures }),
    serve: (app) =>
      serveSandbox(app, {
        store,
        checkout: createCheckout({ store, treasury, clock }),
        limit(request) {
          const taken = buckets.of(clientAddress(request.raw, trustedProxies)).take()
          if (!taken.ok) throw new Problem(429, 'rate_limited', 'Too many requests.', { retryAfter: taken.retryAfter })
        },
      }),
    begin() {
      const settleAll = async (): Promise<void> => {
        for (const id of await store.owed()) await treasury.settle(id)
      }
      settleAll().catch((error: unknown) => log.warn({ err: error }, 'what is owed could not be looked up'))
    },
  }
}
