import { Type } from '@sinclair/typebox'
import type { Chain } from '../../kit/chains.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { knownExchanges } from '../convert/knownExchanges.ts'
import { commonQuery } from '../questions.ts'

/** `GET /v1/supported-chains`: the chains that the server reads. */
export function supportedChains({ chains }: { chains: readonly Chain[] }): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/v1/supported-chains',
    group: 'Chains',
    summary: 'The chains that the server reads.',
    query: Type.Object(commonQuery),
    answer: Type.Object({
      http: Type.Array(Type.String()),
      ws: Type.Array(Type.String()),
      swaps: Type.Array(Type.String()),
    }),
    cache: 'public, max-age=86400, s-maxage=86400',
    open: true,
    example: {},
    handle: () => ({
      http: idsOf(chains),
      ws: idsOf(chains.filter(({ wsUrls = [] }) => wsUrls.length > 0)),
      swaps: idsOf(chains.filter(swapsOn)),
    }),
  })
}

/** Whether something swaps on a chain: a provider, its configured exchange, or the known exchange of a known chain. */
function swapsOn({ caipNetworkId, swapProvider, exchange = knownExchanges[caipNetworkId] ?? false }: Chain): boolean {
  return swapProvider !== undefined || exchange !== false
}

function idsOf(chains: readonly Chain[]): string[] {
  return chains.map(({ caipNetworkId }) => caipNetworkId)
}
