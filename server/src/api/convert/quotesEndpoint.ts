import { Type } from '@sinclair/typebox'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { commonQuery } from '../http/commonQuery.ts'
import {
  baseUnitsSchema,
  accountIdSchema,
  exactSchema,
  wrapUnavailable,
  parseEvmAccountId,
  parseSwapRequest,
  type ConvertDependencies,
} from './swapRequest.ts'
import { exampleIds } from './exampleIds.ts'

const hopSchema = Type.Object({
  exchange: Type.String(),
  from: Type.String(),
  to: Type.String(),
  fee: Type.Optional(Type.Number()),
})
const quoteSchema = Type.Object({
  id: Type.Union([Type.String(), Type.Null()]),
  fromAmount: Type.String(),
  fromAccount: Type.String(),
  toAmount: Type.String(),
  toAccount: Type.String(),
  spender: Type.String(),
  gas: Type.Optional(Type.String()),
  priceImpact: Type.Optional(Type.Number()),
  route: Type.Array(hopSchema),
})

/** `GET /v1/convert/quotes`: quotes of a swap. */
export function createQuotesEndpoint(dependencies: ConvertDependencies): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/convert/quotes',
    group: 'Convert',
    summary: 'The current quotes of a swap, best first.',
    query: Type.Object({
      ...commonQuery,
      amount: baseUnitsSchema,
      from: accountIdSchema,
      to: accountIdSchema,
      exact: Type.Optional(exactSchema),
      userAddress: Type.Optional(accountIdSchema),
      gasPrice: Type.Optional(Type.String({ maxLength: 40 })),
    }),
    response: Type.Object({ quotes: Type.Array(quoteSchema) }),
    example: { query: { amount: '1000000000000000000', from: exampleIds.native, to: exampleIds.token } },
    async handle({ query, log }) {
      const { chain, source, ...request } = parseSwapRequest(dependencies, query)
      const on = (address: string): string => `${chain.caipNetworkId}:${address}`
      if (query.userAddress !== undefined) parseEvmAccountId('userAddress', query.userAddress, chain.caipNetworkId)
      const found = await wrapUnavailable(log, chain, source.quotes(request, parseGasPrice(query.gasPrice)))
      return {
        quotes: found.map(({ id, sold, received, gas, impact, hops }) => ({
          id,
          fromAmount: String(sold),
          fromAccount: query.from,
          toAmount: String(received),
          toAccount: query.to,
          spender: on(source.spender),
          gas: gas?.toString(),
          priceImpact: impact,
          route: hops.map((hop) => ({ ...hop, from: on(hop.from), to: on(hop.to) })),
        })),
      }
    },
  })
}

/** Parses a gas price. Clients send 0 or nothing while it is unknown. */
function parseGasPrice(text: string | undefined): bigint | undefined {
  if (text === undefined || text === '' || text === '0') return undefined
  if (/^\d{1,30}$/.test(text)) return BigInt(text)
  throw new Problem(400, 'gasPrice', 'This is not a price in wei.')
}
