import type { Endpoint } from '../kit/endpoint.ts'
import { balances } from './balances/route.ts'
import { history } from './history/route.ts'
import { identity } from './identity/route.ts'
import { createHeldNfts } from './nfts/heldNfts.ts'
import { nfts } from './nfts/route.ts'
import type { Parts } from './parts.ts'
import { portfolio } from './portfolio/route.ts'
import { fungiblePrices } from './prices/route.ts'
import { smartSessions } from './sessions/route.ts'
import { createSessions } from './sessions/sessions.ts'
import { supportedChains } from './supportedChains/route.ts'
import { walletRpc } from './walletRpc/route.ts'

/** What account screens read: balances, histories, NFTs, names and prices. */
export function dataEndpoints(parts: Parts): readonly Endpoint[] {
  const { chains, database, clock, prices, tokens, nftFacts, balanceSources, historySources, names } = parts
  const { indexed } = parts.indexing
  const { cursors, pools, config, lookup, place } = parts
  const holding = { chains, sources: balanceSources, prices }
  return [
    supportedChains({ chains }),
    balances(holding),
    portfolio(holding),
    history({ chains, sources: historySources, cursors }),
    nfts({ held: createHeldNfts({ database, indexed, tokens, nfts: nftFacts }), indexed, cursors }),
    ...identity({ lookup, clock, place }),
    ...names.endpoints,
    fungiblePrices({ chains, prices }),
    ...walletRpc(holding),
    ...smartSessions(createSessions({ database, chains, pools, clock, keysFile: config.apiKeysFile })),
  ]
}
