import type { FastifyBaseLogger } from 'fastify'
import type { ServerConfig } from '../config.ts'
import type { HistoryStore } from '../indexer/history/historyStore.ts'
import type { IndexedChains } from '../indexer/indexedChains.ts'
import type { Bus } from '../kit/bus/bus.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import type { Database } from '../kit/database/database.ts'
import type { EndpointPools } from '../kit/chain/endpointPools.ts'
import type { SafeFetch } from '../kit/http/safeFetch.ts'
import type { BalanceSource } from './balances/balanceSource.ts'
import { cacheBalances } from './balances/cacheBalances.ts'
import { createChainBalances } from './balances/chainBalances.ts'
import { createHeldTokens } from './balances/heldTokens.ts'
import { joinBalances } from './balances/joinBalances.ts'
import { cacheHistory } from './history/cacheHistory.ts'
import type { HistorySource } from './history/historySource.ts'
import { createIndexHistory } from './history/indexHistory.ts'
import { createEnsNames } from './identity/ens.ts'
import type { NameSource } from './identity/nameSource.ts'
import { createNftFacts, type NftFactsReader } from './nfts/nftFacts.ts'
import { cachePastPrices } from './prices/past/cachePastPrices.ts'
import { createChainPastPrices } from './prices/past/chainPastPrices.ts'
import { joinPastPrices } from './prices/past/joinPastPrices.ts'
import type { PastPriceSource } from './prices/past/pastPriceSource.ts'
import { createProviderPastPrices } from './prices/past/providerPastPrices.ts'
import { createFeedPrices } from './prices/feedPrices.ts'
import { joinPrices } from './prices/joinPrices.ts'
import { createPoolPrices } from './prices/poolPrices.ts'
import type { PriceSource } from './prices/priceSource.ts'
import { createProviderPrices } from './prices/providerPrices.ts'
import { createProviderBalances } from './providers/providerBalances.ts'
import { createProviderHistory } from './providers/providerHistory.ts'
import { createSolanaBalances } from './solana/solanaBalances.ts'
import { createSolanaHistory } from './solana/solanaHistory.ts'
import { createTokenFacts, type TokenFactsReader } from './tokens/tokenFacts.ts'

/** The data sources. The first source in a list that covers a request is used. */
export type DataSources = {
  balanceSources: readonly BalanceSource[]
  historySources: readonly HistorySource[]
  nameSources: readonly NameSource[]
  prices: PriceSource
  pastPrices: PastPriceSource
  tokens: TokenFactsReader
  nftFacts: NftFactsReader
}

type DataSourcesDependencies = {
  config: ServerConfig
  database: Database
  bus: Bus
  clock: Clock
  pools: EndpointPools
  safeFetch: SafeFetch
  log: FastifyBaseLogger
  place: { pictures: string }
  indexed: IndexedChains
  history: HistoryStore
}

/** Opens all data sources. */
export function openDataSources(dependencies: DataSourcesDependencies): DataSources {
  const { config, database, bus, clock, pools, safeFetch, log, place, indexed } = dependencies
  const tokens = createTokenFacts(database, clock)
  const nftFacts = createNftFacts({ database, clock, safeFetch, ipfsGateway: config.ipfsGateway, place })
  const own = createChainBalances({ pools, clock, others: createHeldTokens(database, indexed, tokens) })
  const index = createIndexHistory({ database, store: dependencies.history, indexed, tokens, nfts: nftFacts })
  const shared = { bus, clock }
  const reading = { pools, bus, clock }
  return {
    tokens,
    nftFacts,
    balanceSources: cacheBalances(
      [joinBalances(own, createProviderBalances(clock)), createSolanaBalances(pools)],
      shared,
    ),
    historySources: cacheHistory([index, createProviderHistory(clock), createSolanaHistory({ pools, log })], shared),
    nameSources: createNameSources(dependencies),
    prices: joinPrices([createFeedPrices(reading), createPoolPrices(reading), createProviderPrices(shared)]),
    pastPrices: cachePastPrices(
      joinPastPrices([createChainPastPrices({ pools, clock }), createProviderPastPrices(clock)]),
      shared,
    ),
  }
}

/** The first source that knows a name wins. */
function createNameSources({ config: { chains }, pools }: DataSourcesDependencies): readonly NameSource[] {
  const mainnet = chains.find(({ caipNetworkId }) => caipNetworkId === 'eip155:1')
  return mainnet === undefined ? [] : [createEnsNames(pools.get(mainnet))]
}
