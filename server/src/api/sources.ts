import type { ServerConfig } from '../config.ts'
import type { IndexedChains } from '../indexer/chains.ts'
import type { Bus } from '../kit/bus.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import type { Pools } from '../kit/pools.ts'
import type { SafeFetch } from '../kit/safeFetch.ts'
import type { BalanceSource } from './balances/balanceSource.ts'
import { cacheBalances } from './balances/cachedBalances.ts'
import { createChainBalances } from './balances/chainBalances.ts'
import { createHeldTokens } from './balances/heldTokens.ts'
import { joinBalances } from './balances/joinedBalances.ts'
import { cacheHistory } from './history/cachedHistory.ts'
import type { HistorySource } from './history/historySource.ts'
import { createIndexHistory } from './history/indexHistory.ts'
import { createEns } from './identity/ens.ts'
import type { NameSource } from './identity/nameSource.ts'
import { createNftFacts, type NftFactsReader } from './nfts/nftFacts.ts'
import { createFeedPrices } from './prices/feedPrices.ts'
import { joinPrices } from './prices/joinedPrices.ts'
import { createPoolPrices } from './prices/poolPrices.ts'
import type { PriceSource } from './prices/priceSource.ts'
import { createProviderPrices } from './prices/providerPrices.ts'
import { createProviderBalances, createProviderHistory } from './providers/providerSources.ts'
import { createSolanaBalances } from './solana/balances.ts'
import { createSolanaHistory } from './solana/history.ts'
import { createTokenFacts, type TokenFactsReader } from './tokens/tokenFacts.ts'

/** Where the answers of the data service come from; of a list, the first that covers a question is asked. */
export type Sources = {
  balanceSources: readonly BalanceSource[]
  historySources: readonly HistorySource[]
  nameSources: readonly NameSource[]
  prices: PriceSource
  tokens: TokenFactsReader
  nftFacts: NftFactsReader
}

type SourcesParts = {
  config: ServerConfig
  database: Database
  bus: Bus
  clock: Clock
  pools: Pools
  safeFetch: SafeFetch
  place: { pictures: string }
  indexed: IndexedChains
}

/** Opens all sources. */
export function openSources(parts: SourcesParts): Sources {
  const { config, database, bus, clock, pools, safeFetch, place, indexed } = parts
  const tokens = createTokenFacts(database, clock)
  const nftFacts = createNftFacts({ database, clock, safeFetch, ipfsGateway: config.ipfsGateway, place })
  const own = createChainBalances(pools, createHeldTokens(database, indexed, tokens))
  const index = createIndexHistory({ database, indexed, tokens, nfts: nftFacts })
  const kept = { bus, clock }
  const reading = { pools, bus, clock }
  return {
    tokens,
    nftFacts,
    balanceSources: [joinBalances(own, createProviderBalances(clock)), createSolanaBalances(pools)].map((source) =>
      cacheBalances(source, kept),
    ),
    historySources: [index, createProviderHistory(clock), createSolanaHistory(pools)].map((source) =>
      cacheHistory(source, kept),
    ),
    nameSources: nameSourcesOf(parts),
    prices: joinPrices([createFeedPrices(reading), createPoolPrices(reading), createProviderPrices(kept)]),
  }
}

/** The first that knows a name is believed. */
function nameSourcesOf({ config: { chains }, pools }: SourcesParts): readonly NameSource[] {
  const mainnet = chains.find(({ caipNetworkId }) => caipNetworkId === 'eip155:1')
  return mainnet === undefined ? [] : [createEns(pools.of(mainnet))]
}
