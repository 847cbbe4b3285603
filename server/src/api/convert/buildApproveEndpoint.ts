import { Type } from '@sinclair/typebox'
import { createChainRpc } from '../../kit/chain/chainRpc.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { commonQuery } from '../http/commonQuery.ts'
import {
  baseUnitsSchema,
  accountIdSchema,
  getSwapMarket,
  wrapUnavailable,
  parseEvmAccountId,
  type ConvertDependencies,
} from './swapRequest.ts'
import { exampleIds } from './exampleIds.ts'
import { nativeAddress } from './routeSource.ts'
import { getGasPrice } from './simulateSwap.ts'

/** ABI selector of `approve(address,uint256)`. */
const selector = '0x095ea7b3'
const everything = 2n ** 256n - 1n

/**
 * `GET /v1/convert/build-approve`: the approval of a token for the exchange of the chain. The caller chooses only the
 * token and the amount, so the endpoint never builds an approval for another contract.
 */
export function createBuildApproveEndpoint(dependencies: ConvertDependencies & { pools: EndpointPools }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/convert/build-approve',
    group: 'Convert',
    summary: "Builds the approval of a token for the chain's exchange, for an amount or without a limit.",
    query: Type.Object({
      ...commonQuery,
      from: accountIdSchema,
      to: accountIdSchema,
      amount: Type.Optional(baseUnitsSchema),
      userAddress: Type.Optional(accountIdSchema),
    }),
    response: Type.Object({
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
      const token = parseEvmAccountId('from', query.from)
      // Clients send their target token or a spender here. Only the operator's spender counts.
      parseEvmAccountId('to', query.to, token.chainId)
      const { chain, source } = getSwapMarket(dependencies, token.chainId)
      if (token.address === nativeAddress) throw new Problem(400, 'from', 'The native currency needs no approval.')
      if (query.userAddress !== undefined) parseEvmAccountId('userAddress', query.userAddress, token.chainId)
      const amount = query.amount === undefined ? everything : parseApprovedAmount(query.amount)
      const rpc = createChainRpc(dependencies.pools.get(chain))
      const gasPrice = await wrapUnavailable(log, chain, getGasPrice(rpc))
      return {
        tx: {
          from: query.userAddress ?? query.from,
          to: query.from,
          data: `${selector}${encodeWord(source.spender.slice(2))}${encodeWord(amount.toString(16))}`,
          value: '0',
          eip155: { gasPrice: String(gasPrice) },
        },
      }
    },
  })
}

/** Parses an amount. Zero revokes an approval. */
function parseApprovedAmount(text: string): bigint {
  if (/^\d{1,78}$/.test(text) && BigInt(text) <= everything) return BigInt(text)
  throw new Problem(400, 'amount', 'This is not a whole number of base units.')
}

function encodeWord(digits: string): string {
  return digits.toLowerCase().padStart(64, '0')
}
