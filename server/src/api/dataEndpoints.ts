import type { Endpoint } from '../kit/http/defineEndpoint.ts'
import { createBalancesEndpoint } from './balances/balancesEndpoint.ts'
import { createAccountEventsEndpoint } from './events/accountEventsEndpoint.ts'
import { createAddValues } from './history/addValues.ts'
import { createHistoryEndpoint } from './history/historyEndpoint.ts'
import { createIdentityEndpoints } from './identity/identityEndpoints.ts'
import { createHeldNfts } from './nfts/heldNfts.ts'
import { createNftsEndpoint } from './nfts/nftsEndpoint.ts'
import type { ApiServices } from './apiServices.ts'
import { createPortfolioEndpoint } from './balances/portfolioEndpoint.ts'
import { createPricesEndpoint } from './prices/pricesEndpoint.ts'
import { createSmartSessionEndpoints } from './sessions/smartSessionEndpoints.ts'
import { createSmartSessions } from './sessions/smartSessions.ts'
import { createSupportedChainsEndpoint } from './supportedChains/supportedChainsEndpoint.ts'
import { createWalletRpcEndpoints } from './walletRpc/walletRpcEndpoints.ts'

/** Creates the endpoints that account screens read: balances, histories, NFTs, names and prices. */
export function dataEndpoints(services: ApiServices): readonly Endpoint[] {
  const {
    chains,
    database,
    history,
    clock,
    prices,
    pastPrices,
    tokens,
    nftFacts,
    balanceSources,
    historySources,
    names,
  } = services
  const { indexed } = services.indexing
  const { cursors, pools, config, lookup, place, tokenIcons, spamMarks, addressRequests: requests } = services
  const { trustedProxies } = config
  const holding = { chains, sources: balanceSources, prices, tokenIcons, spamMarks }
  return [
    createSupportedChainsEndpoint({ chains, historySources }),
    createBalancesEndpoint({ ...holding, requests, trustedProxies }),
    createPortfolioEndpoint(holding),
    createHistoryEndpoint({
      chains,
      sources: historySources,
      cursors,
      addValues: createAddValues({ chains, pastPrices }),
      spamMarks,
      requests,
      trustedProxies,
    }),
    createAccountEventsEndpoint({ ...services, indexed, history: history.store, requests, trustedProxies }),
    createNftsEndpoint({
      held: createHeldNfts({ database, indexed, tokens, nfts: nftFacts }),
      indexed,
      cursors,
      spamMarks,
    }),
    ...createIdentityEndpoints({ lookup, clock, place }),
    ...names.endpoints,
    createPricesEndpoint({ chains, prices, tokenIcons }),
    ...createWalletRpcEndpoints(holding),
    ...createSmartSessionEndpoints(
      createSmartSessions({ database, chains, pools, clock, keysFile: config.apiKeysFile }),
    ),
  ]
}
