import { Type } from '@sinclair/typebox'
import type { Chain } from '../../kit/chain/chains.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { BalanceSource } from './balanceSource.ts'
import { selectChains, getBalances } from './getBalances.ts'
import { assertCurrency } from '../http/assertCurrency.ts'
import { addressParam, chainIdQuery, commonQuery, parseAddress } from '../http/commonQuery.ts'

export type PortfolioDependencies = { chains: readonly Chain[]; sources: readonly BalanceSource[] }

/** `GET /v1/account/:address/portfolio`: the assets that an address holds, without amounts. */
export function createPortfolioEndpoint({ chains, sources }: PortfolioDependencies): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/account/:address/portfolio',
    group: 'Accounts',
    summary: 'The assets that an address holds, without amounts.',
    params: addressParam,
    query: Type.Object({ ...commonQuery, ...chainIdQuery, currency: Type.String({ maxLength: 8, default: 'usd' }) }),
    response: Type.Object({
      data: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), symbol: Type.String() })),
    }),
    example: { params: { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' } },
    async handle({ params, query: { chainId, currency }, log }) {
      assertCurrency(currency)
      const { namespace, address } = parseAddress(params.address, chainId)
      const wanted = selectChains(chains, sources, namespace, chainId)
      const held = await getBalances({ log, sources, currency }, wanted, address)
      return {
        data: held
          .filter(({ quantity }) => quantity.numeric !== '0')
          .map((each) => ({ id: each.address ?? `${each.chainId}:native`, name: each.name, symbol: each.symbol })),
      }
    },
  })
}
