import type { FastifyInstance } from 'fastify'
import type { ServerConfig } from '../config.ts'
import { openIndexing, type Progress } from '../indexer/service.ts'
import type { Bus } from '../kit/bus.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import { mountEndpoints, type Endpoint } from '../kit/endpoint.ts'
import { serveDocs } from '../kit/openApi.ts'
import { createPools } from '../kit/pools.ts'
import type { Projects } from '../kit/projects.ts'
import { createSafeFetch } from '../kit/safeFetch.ts'
import type { Rate } from '../kit/tokenBucket.ts'
import { createPictures } from '../wallets/pictures.ts'
import { analyticsConfig, servePictures, walletList } from '../wallets/route.ts'
import { readWalletList } from '../wallets/walletList.ts'
import { appConfig } from './appConfig/route.ts'
import { cacheBalances } from './balances/cachedBalances.ts'
import { createChainBalances } from './balances/chainBalances.ts'
import { createHeldTokens } from './balances/heldTokens.ts'
import { balances } from './balances/route.ts'
import { apiLimits } from './config.ts'
import { allowance } from './convert/allowance.ts'
import { gasPrice } from './convert/gasPrice.ts'
import { createGuard, type Guard } from './guard.ts'
import { cacheHistory } from './history/cachedHistory.ts'
import { createIndexHistory } from './history/indexHistory.ts'
import { history } from './history/route.ts'
import { createHeldNfts } from './nfts/heldNfts.ts'
import { createNftFacts } from './nfts/nftFacts.ts'
import { nftPictures } from './nfts/pictureRoute.ts'
import { nfts } from './nfts/route.ts'
import { createEns } from './identity/ens.ts'
import { identity } from './identity/route.ts'
import { portfolio } from './portfolio/route.ts'
import { createFeedPrices } from './prices/feedPrices.ts'
import { fungiblePrices } from './prices/route.ts'
import { rpc } from './rpc/route.ts'
import { supportedChains } from './supportedChains/route.ts'
import { createSolanaBalances } from './solana/balances.ts'
import { createSolanaHistory } from './solana/history.ts'
import { createTokenFacts } from './tokens/tokenFacts.ts'
import { walletRpc } from './walletRpc/route.ts'

/** The data service. */
export type Api = {
  /** Begins to follow the chains; browsers reach the server at `url`. */
  begin(url: string): void
  /** How far each chain is indexed. */
  progress(): readonly Progress[]
  close(): Promise<void>
}

export type ApiParts = { database: Database; bus: Bus; clock: Clock; projects: Projects }

/** Mounts the data service and the wallet list. */
export async function mountApi(app: FastifyInstance, config: ServerConfig, parts: ApiParts): Promise<Api> {
  const { database, bus, clock, projects } = parts
  const { chains, trustedProxies, ipfsGateway } = config
  const limits = apiLimits(config.limits)
  const guard = (rate: Rate): Guard => createGuard({ projects, clock, trustedProxies, rate })
  const reads = guard(limits.reads)
  const pools = createPools(clock)
  const indexing = await openIndexing({ chains, database, bus, pools, clock, log: app.log })
  const { indexed } = indexing
  const safeFetch = createSafeFetch()
  const place = { pictures: config.publicUrl ?? '' }
  const tokens = createTokenFacts(database, clock)
  const nftFacts = createNftFacts({ database, clock, safeFetch, ipfsGateway, place })
  const known = { database, indexed, tokens, nfts: nftFacts }
  const named = chains.find(({ caipNetworkId }) => caipNetworkId === 'eip155:1')
  const nameSources = named === undefined ? [] : [createEns(pools.of(named))]
  const wallets = readWalletList({
    developerWalletUrl: config.developerWalletUrl,
    own: config.wallets,
    chains: chains.map(({ caipNetworkId }) => caipNetworkId),
  })
  const kept = { bus, clock }
  const own = createChainBalances(pools, createHeldTokens(database, indexed, tokens))
  const balanceSources = [own, createSolanaBalances(pools)].map((source) => cacheBalances(source, kept))
  const prices = createFeedPrices({ pools, bus, clock })
  const holding = { chains, sources: balanceSources, prices }
  const historySources = [createIndexHistory(known), createSolanaHistory(pools)].map((source) =>
    cacheHistory(source, kept),
  )

  const endpoints: readonly (readonly [Guard, readonly Endpoint[]])[] = [
    [
      reads,
      [
        supportedChains({ chains }),
        balances(holding),
        portfolio(holding),
        history({ chains, sources: historySources }),
        nfts({ held: createHeldNfts(known), indexed }),
        ...identity({ sources: nameSources, bus, clock }),
        fungiblePrices({ chains, prices }),
        gasPrice({ chains, pools }),
        allowance({ chains, pools }),
        ...walletRpc(holding),
      ],
    ],
    [guard(limits.rpc), rpc({ chains, pools })],
    [guard(limits.wallets), [walletList({ wallets }), analyticsConfig(), ...appConfig({ projects: config.projects })]],
  ]
  for (const [admit, each] of endpoints) mountEndpoints(app, each, admit)
  serveDocs(
    app,
    endpoints.flatMap(([, each]) => each),
  )
  nftPictures(app, { indexed, nfts: nftFacts, safeFetch })
  servePictures(app, createPictures({ wallets, chains }))

  return {
    begin(url) {
      if (place.pictures === '') place.pictures = url
      indexing.begin()
    },
    progress: indexing.progress,
    async close() {
      await indexing.close()
      await safeFetch.close()
    },
  }
}
