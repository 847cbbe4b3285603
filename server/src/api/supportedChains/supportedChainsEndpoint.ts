import { Type } from '@sinclair/typebox'
import type { Chain } from '../../kit/chain/chains.ts'
import type { HistorySource } from '../history/historySource.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { knownExchanges } from '../convert/knownExchanges.ts'
import { commonQuery } from '../http/commonQuery.ts'

/** `GET /v1/supported-chains`: the chains of this server. */
export function createSupportedChainsEndpoint({
  chains,
  historySources,
}: {
  chains: readonly Chain[]
  historySources: readonly Pick<HistorySource, 'covers'>[]
}): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/supported-chains',
    group: 'Chains',
    summary: 'The chains that the server supports.',
    query: Type.Object(commonQuery),
    response: Type.Object({
      http: Type.Array(Type.String()),
      ws: Type.Array(Type.String()),
      history: Type.Array(Type.String()),
      swaps: Type.Array(Type.String()),
    }),
    cache: 'public, max-age=86400, s-maxage=86400',
    isPublic: true,
    example: {},
    handle: () => ({
      http: toChainIds(chains),
      ws: toChainIds(chains.filter(({ wsUrls = [] }) => wsUrls.length > 0)),
      history: toChainIds(chains.filter((chain) => historySources.some((source) => source.covers(chain)))),
      swaps: toChainIds(chains.filter(hasSwaps)),
    }),
  })
}

/** True if a chain has swaps: by a provider, a configured exchange, or a known one. */
function hasSwaps({ caipNetworkId, swapProvider, exchange = knownExchanges[caipNetworkId] ?? false }: Chain): boolean {
  return swapProvider !== undefined || exchange !== false
}

function toChainIds(chains: readonly Chain[]): string[] {
  return chains.map(({ caipNetworkId }) => caipNetworkId)
}
