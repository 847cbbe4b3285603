import { Type } from '@sinclair/typebox'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import { commonQuery } from '../questions.ts'
import { baseUnits, caip10, orUnavailable, readId, readPair, type ConvertParts } from './asked.ts'
import { exampleIds } from './exampleIds.ts'

const Hop = Type.Object({
  exchange: Type.String(),
  from: Type.String(),
  to: Type.String(),
  fee: Type.Optional(Type.Number()),
})
const ToldQuote = Type.Object({
  id: Type.Union([Type.String(), Type.Null()]),
  fromAmount: Type.String(),
  fromAccount: Type.String(),
  toAmount: Type.String(),
  toAccount: Type.String(),
  spender: Type.String(),
  gas: Type.Optional(Type.String()),
  priceImpact: Type.Optional(Type.Number()),
  route: Type.Array(Hop),
})

/** `GET /v1/convert/quotes`: what a swap would give. */
export function quotes(parts: ConvertParts): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/v1/convert/quotes',
    group: 'Convert',
    summary: 'What a swap would give now, by the best ways that there are, the best first.',
    query: Type.Object({
      ...commonQuery,
      amount: baseUnits,
      from: caip10,
      to: caip10,
      userAddress: Type.Optional(caip10),
      gasPrice: Type.Optional(Type.String({ maxLength: 40 })),
    }),
    answer: Type.Object({ quotes: Type.Array(ToldQuote) }),
    example: { query: { amount: '1000000000000000000', from: exampleIds.native, to: exampleIds.token } },
    async handle({ query, log }) {
      const { chain, source, ...question } = readPair(parts, query)
      const on = (address: string): string => `${chain.caipNetworkId}:${address}`
      if (query.userAddress !== undefined) readId('userAddress', query.userAddress, chain.caipNetworkId)
      const found = await orUnavailable(log, chain, source.quotes(question, readGasPrice(query.gasPrice)))
      return {
        quotes: found.map(({ id, received, gas, impact, hops }) => ({
          id,
          fromAmount: String(question.amount),
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

/** Some clients write 0 or nothing as long as they do not know it. */
function readGasPrice(text: string | undefined): bigint | undefined {
  if (text === undefined || text === '' || text === '0') return undefined
  if (/^\d{1,30}$/.test(text)) return BigInt(text)
  throw new Problem(400, 'gasPrice', 'This is not a price in wei.')
}
