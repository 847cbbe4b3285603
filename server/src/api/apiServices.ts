import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { ServerConfig } from '../config.ts'
import { openHistory, type OpenedHistory } from '../indexer/history/openHistory.ts'
import { openIndexing, type Indexing } from '../indexer/indexing.ts'
import type { Bus } from '../kit/bus/bus.ts'
import { createUpstreamBudgets } from '../kit/chain/budgets/createUpstreamBudgets.ts'
import type { Chain } from '../kit/chain/chains.ts'
import type { Tracing } from '../kit/tracing/tracing.ts'
import { traceUpstream } from '../kit/tracing/traceUpstream.ts'
import { createUpstreamMetrics } from '../kit/chain/endpoints/upstreamMetrics.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import type { Database } from '../kit/database/database.ts'
import { createEndpointPools, type EndpointPools } from '../kit/chain/endpointPools.ts'
import { migrate } from '../kit/database/migrations.ts'
import type { Access } from '../kit/http/access.ts'
import type { Projects } from '../kit/http/projects.ts'
import { createSafeFetch, type SafeFetch } from '../kit/http/safeFetch.ts'
import type { Upgrades } from '../kit/http/upgrades.ts'
import { createLoadShedder, type LoadShedder } from '../kit/limits/createLoadShedder.ts'
import type { RateLimiters } from '../kit/limits/rateLimiters.ts'
import type { Rate } from '../kit/limits/tokenBucket.ts'
import { getApiLimits, type ApiLimits } from './apiLimits.ts'
import { createAccountStreams, type AccountStreams } from './events/createAccountStreams.ts'
import { createCursors, loadCursorSecret, type Cursors } from './http/cursors.ts'
import { createAddressRequests, type AddressRequests } from './history/createAddressRequests.ts'
import { createProviderFinder } from './providers/providerFinder.ts'
import type { TransactionFinder } from '../indexer/requested/transactionFinder.ts'
import { createProjectGuard, type ProjectGuard } from './http/projectGuard.ts'
import { openNames, type Names } from '../names/names.ts'
import { openOnRamp, type OnRamp } from '../onramp/onRamp.ts'
import { createRpcMetrics } from './rpc/rpcMetrics.ts'
import { createRpcResponder, type RpcResponder } from './rpc/rpcResponder.ts'
import { createIdentityLookup, type IdentityLookup } from './identity/identityLookup.ts'
import { apiMigrations } from '../schema/apiMigrations.ts'
import { openDataSources, type DataSources } from './dataSources.ts'
import { noBrandIcons, readBrandIcons, type BrandIcons } from '../wallets/icons/brandIcons.ts'
import { createSpamMarks, type SpamMarks } from './spamReports/spamMarks.ts'
import { createSpamReports, type SpamReports } from './spamReports/spamReports.ts'
import { createTokenIcons, type TokenIcons } from '../wallets/icons/tokenIcons.ts'

/** Five times the connections: a statement then waits for a fraction of the time after which it fails. */
const maxWaitingStatements = 100

/** Dependencies of the data service. */
export type ApiDependencies = {
  database: Database
  bus: Bus
  rateLimiters: RateLimiters
  clock: Clock
  projects: Projects
  access: Access
  upgrades: Upgrades
  /** The counters of this process. */
  metrics: Registry
  tracing?: Tracing | undefined
}

/** Everything that the endpoints of the data service share. */
export type ApiServices = ApiDependencies &
  DataSources & {
    config: ServerConfig
    chains: readonly Chain[]
    pools: EndpointPools
    responder: RpcResponder
    cursors: Cursors
    streams: AccountStreams
    safeFetch: SafeFetch
    names: Names
    lookup: IdentityLookup
    onRamp: OnRamp
    limits: ApiLimits
    /** Creates a guard with its own rate limit. Processes share the limit by its name, so each name is used once. */
    guard(name: string, rate: Rate, options?: { shedder?: LoadShedder }): ProjectGuard
    /** Refuses requests while too many statements wait for the database. */
    shedder: LoadShedder
    indexing: Indexing
    history: OpenedHistory
    addressRequests: AddressRequests
    log: FastifyBaseLogger
    /** The URL at which browsers reach this server. Set once the server listens. */
    place: { pictures: string }
    icons: BrandIcons
    tokenIcons: TokenIcons
    spamReports: SpamReports
    spamMarks: SpamMarks
  }

/** Opens the shared services: the index, the endpoints of the chains, and the data sources. */
export async function openApiServices(
  config: ServerConfig,
  given: ApiDependencies,
  log: FastifyBaseLogger,
): Promise<ApiServices> {
  const { database, bus, clock } = given
  const { chains, trustedProxies } = config
  await migrate(database.kysely, apiMigrations, 'api')
  const secret = await loadCursorSecret(database.kysely)
  const pools = openPools(config, given)
  const getProviderFinder = (chain: Chain): TransactionFinder | undefined => createProviderFinder(chain, clock)
  const history = await openHistory({ url: config.historyUrl, database, clock, log })
  const shared = { ...given, history: history.store, chains, pools, log }
  const indexing = await openIndexing({ ...shared, getProviderFinder })
  const safeFetch = createSafeFetch()
  const place = { pictures: config.publicUrl ?? '' }
  const sources = openDataSources({ ...shared, config, safeFetch, place, indexed: indexing.indexed })
  const icons = config.brandIcons === 'on' ? readBrandIcons() : noBrandIcons
  const limits = getApiLimits(config.limits)
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
    lookup: createIdentityLookup({
      sources: [...sources.nameSources, names.source],
      bus,
      clock,
      onChange: names.onChange,
    }),
    names,
    onRamp,
    config,
    chains,
    pools,
    responder: createRpcResponder({ pools, clock, metrics: createRpcMetrics(given.metrics) }),
    cursors: createCursors(secret),
    ...openSpam(config, { database, clock, secret, log }),
    streams: createAccountStreams(given),
    safeFetch,
    limits,
    ...openGuards(given, trustedProxies),
    indexing,
    history,
    addressRequests: openAddressRequests(given, indexing, limits),
    log,
    place,
    icons,
    tokenIcons: createTokenIcons({ icons, place }),
  }
}

/** Opens the endpoints of the chains, with the budgets of their providers. */
function openPools({ chains, rpcProviders: providers }: ServerConfig, given: ApiDependencies): EndpointPools {
  const metrics = createUpstreamMetrics(given.metrics)
  return createEndpointPools(given.clock, {
    budgets: createUpstreamBudgets({ ...given, chains, providers }),
    metrics: given.tracing === undefined ? metrics : traceUpstream(metrics, given.tracing),
  })
}

/** Opens the reports of spam, and the marks that follow from them. */
function openSpam(
  { chains, spamReportThreshold: threshold }: ServerConfig,
  { database, clock, secret, log }: Pick<ApiServices, 'database' | 'clock' | 'log'> & { secret: Uint8Array },
): Pick<ApiServices, 'spamReports' | 'spamMarks'> {
  const spamReports = createSpamReports({ database, clock, secret })
  return { spamReports, spamMarks: createSpamMarks({ chains, reports: spamReports, threshold, clock, log }) }
}

function openAddressRequests(
  { bus, clock, rateLimiters }: ApiDependencies,
  { indexed, addresses }: Indexing,
  limits: ApiLimits,
): AddressRequests {
  // New addresses cost storage and requests to nodes, so that they wait for the store of the limits.
  const options = { whileUnavailable: 'refuse' } as const
  const limiters = {
    client: rateLimiters.create('api/new-addresses', limits.newAddresses, options),
    project: rateLimiters.create('api/new-addresses-of-project', limits.newAddressesOfProject, options),
  }
  return createAddressRequests({ indexed, addresses, bus, clock, limiters })
}

/** Opens the guards of the endpoints. */
function openGuards(given: ApiDependencies, trustedProxies: number): Pick<ApiServices, 'guard' | 'shedder'> {
  const { clock, database } = given
  const getWaiting = (): number => database.connections().waiting
  return {
    guard: createGuards(given, trustedProxies),
    shedder: createLoadShedder({ clock, getWaiting, maxWaiting: maxWaitingStatements }),
  }
}

function createGuards({ projects, rateLimiters }: ApiDependencies, trustedProxies: number): ApiServices['guard'] {
  return (name, rate, { shedder } = {}) => {
    const limiter = rateLimiters.create(`api/${name}`, rate)
    // Reads continue without the store of the limits; writes wait for it.
    const writeLimiter = rateLimiters.create(`api/${name}-writes`, rate, { whileUnavailable: 'refuse' })
    return createProjectGuard({ projects, trustedProxies, limiter, writeLimiter, shedder })
  }
}
