import type { FastifyBaseLogger } from 'fastify'
import type { ServerConfig } from '../config.ts'
import { openIndexing, type Indexing } from '../indexer/service.ts'
import type { Bus } from '../kit/bus.ts'
import type { Chain } from '../kit/chains.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import { createPools, type Pools } from '../kit/pools.ts'
import { migrate } from '../kit/migrations.ts'
import type { Projects } from '../kit/projects.ts'
import { createSafeFetch, type SafeFetch } from '../kit/safeFetch.ts'
import type { Upgrades } from '../kit/upgrades.ts'
import type { Rate } from '../kit/tokenBucket.ts'
import { apiLimits, type ApiLimits } from './config.ts'
import { createCursors, readApiSecret, type Cursors } from './cursors.ts'
import { createGuard, type Guard } from './guard.ts'
import { openNames, type Names } from '../names/names.ts'
import { openOnRamp, type OnRamp } from '../onramp/onRamp.ts'
import { createAnswering, type Answering } from './rpc/answering.ts'
import { createLookup, type Lookup } from './identity/lookup.ts'
import { apiMigrations } from './migrations.ts'
import { openSources, type Sources } from './sources.ts'

/** What the data service is given. */
export type ApiParts = { database: Database; bus: Bus; clock: Clock; projects: Projects; upgrades: Upgrades }

/** What the endpoints of the data service are made of: each names what it needs of it. */
export type Parts = ApiParts &
  Sources & {
    config: ServerConfig
    chains: readonly Chain[]
    pools: Pools
    answering: Answering
    cursors: Cursors
    safeFetch: SafeFetch
    names: Names
    lookup: Lookup
    onRamp: OnRamp
    limits: ApiLimits
    /** Makes a guard that counts for itself. */
    guard(rate: Rate): Guard
    indexing: Indexing
    log: FastifyBaseLogger
    /** Where browsers reach this server; not known before it listens. */
    place: { pictures: string }
  }

/** Opens what endpoints share: the index, the chains' endpoints, and where their answers come from. */
export async function openParts(config: ServerConfig, given: ApiParts, log: FastifyBaseLogger): Promise<Parts> {
  const { database, bus, clock, projects } = given
  const { chains, trustedProxies } = config
  await migrate(database.kysely, apiMigrations, 'api')
  const cursors = createCursors(await readApiSecret(database.kysely))
  const pools = createPools(clock)
  const indexing = await openIndexing({ chains, database, bus, pools, clock, log })
  const safeFetch = createSafeFetch()
  const place = { pictures: config.publicUrl ?? '' }
  const sources = openSources({ ...given, config, pools, safeFetch, place, indexed: indexing.indexed })
  const limits = apiLimits(config.limits)
  const names = await openNames({ ...given, config: config.names, chains, pools, limits, trustedProxies })
  const onRamp = await openOnRamp({
    ...given,
    config: config.onRamp,
    profile: config.limits,
    chains,
    pools,
    log,
    trustedProxies,
    place,
  })
  return {
    ...given,
    ...sources,
    lookup: createLookup({ sources: [...sources.nameSources, names.source], bus, clock, onChange: names.onChange }),
    names,
    onRamp,
    config,
    chains,
    pools,
    answering: createAnswering({ pools, clock }),
    cursors,
    safeFetch,
    limits,
    guard: (rate) => createGuard({ projects, clock, trustedProxies, rate }),
    indexing,
    log,
    place,
  }
}
