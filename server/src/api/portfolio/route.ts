import { Type } from '@sinclair/typebox'
import type { Chain } from '../../kit/chains.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { BalanceSource } from '../balances/balanceSource.ts'
import { chosenChains, readBalances } from '../balances/readBalances.ts'
import { currencies } from '../currencies.ts'
import { addressParam, chainIdQuery, commonQuery, readAddress } from '../questions.ts'

export type PortfolioParts = { chains: readonly Chain[]; sources: readonly BalanceSource[] }

/** `GET /v1/account/:address/portfolio`: which assets an address holds, and nothing of how many. */
export function portfolio({ chains, sources }: PortfolioParts): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/v1/account/:address/portfolio',
    group: 'Accounts',
    summary: 'Which assets an address holds.',
    params: addressParam,
    query: Type.Object({ ...commonQuery, ...chainIdQuery, currency: Type.String({ maxLength: 8, default: 'usd' }) }),
    answer: Type.Object({
      data: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), symbol: Type.String() })),
    }),
    example: { params: { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' } },
    async handle({ params, query: { chainId, currency }, log }) {
      if (!currencies.includes(currency)) throw new Problem(400, 'currency', 'This currency is not known here.')
      const { namespace, address } = readAddress(params.address, chainId)
      const wanted = chosenChains(chains, sources, namespace, chainId)
      const held = await readBalances({ log, sources, currency }, wanted, address)
      return {
        data: held
          .filter(({ quantity }) => quantity.numeric !== '0')
          .map((each) => ({ id: each.address ?? `${each.chainId}:native`, name: each.name, symbol: each.symbol })),
      }
    },
  })
}
