import { Type } from '@sinclair/typebox'
import { createChainRpc } from '../../kit/chainRpc.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { Pools } from '../../kit/pools.ts'
import { commonQuery } from '../questions.ts'
import { baseUnits, caip10, marketOf, orUnavailable, readId, type ConvertParts } from './asked.ts'
import { exampleIds } from './exampleIds.ts'
import { nativeAddress } from './routeSource.ts'
import { readGasPrice } from './tryOut.ts'

/** `approve(address,uint256)`, as the ABI writes it. */
const selector = '0x095ea7b3'
const everything = 2n ** 256n - 1n

/**
 * `GET /v1/convert/build-approve`: lets the chain's exchange take a token. Whoever asks names the token alone: nothing he
 * says makes an approval of somebody else, or sends one to another contract.
 */
export function buildApprove(parts: ConvertParts & { pools: Pools }): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/v1/convert/build-approve',
    group: 'Convert',
    summary: "Builds the approval that lets the chain's exchange take a token: of an amount, or of all.",
    query: Type.Object({
      ...commonQuery,
      from: caip10,
      to: caip10,
      amount: Type.Optional(baseUnits),
      userAddress: Type.Optional(caip10),
    }),
    answer: Type.Object({
      tx: Type.Object({
        from: Type.String(),
        to: Type.String(),
        data: Type.String(),
        value: Type.String(),
        eip155: Type.Object({ gasPrice: Type.String() }),
      }),
    }),
    example: {
      query: { from: exampleIds.token, to: exampleIds.native, amount: '1000000', userAddress: exampleIds.user },
    },
    async handle({ query, log }) {
      const token = readId('from', query.from)
      // Clients name here what they swap into, or whom they believe to swap: what counts is whom the operator names.
      readId('to', query.to, token.chainId)
      const { chain, source } = marketOf(parts, token.chainId)
      if (token.address === nativeAddress) throw new Problem(400, 'from', 'The native currency needs no approval.')
      if (query.userAddress !== undefined) readId('userAddress', query.userAddress, token.chainId)
      const amount = query.amount === undefined ? everything : readApproved(query.amount)
      const rpc = createChainRpc(parts.pools.of(chain))
      const gasPrice = await orUnavailable(log, chain, readGasPrice(rpc))
      return {
        tx: {
          from: query.userAddress ?? query.from,
          to: query.from,
          data: `${selector}${word(source.spender.slice(2))}${word(amount.toString(16))}`,
          value: '0',
          eip155: { gasPrice: String(gasPrice) },
        },
      }
    },
  })
}

/** Nothing at all may be approved too: that takes an approval back. */
function readApproved(text: string): bigint {
  if (/^\d{1,78}$/.test(text) && BigInt(text) <= everything) return BigInt(text)
  throw new Problem(400, 'amount', 'This is not a whole number of base units.')
}

function word(digits: string): string {
  return digits.toLowerCase().padStart(64, '0')
}
