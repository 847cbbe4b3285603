import { Type } from '@sinclair/typebox'
import { createChainRpc } from '../../kit/chain/chainRpc.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { commonQuery } from '../http/commonQuery.ts'
import { parseAbiWord } from '../tokens/abi.ts'
import { accountIdSchema, parseEvmAccountId, type ConvertDependencies } from './swapRequest.ts'
import { exampleIds } from './exampleIds.ts'
import { nativeAddress } from './routeSource.ts'

/** ABI selector of `allowance(address,address)`. */
const selector = '0xdd62ed3e'
/** The native currency needs no allowance. */
const everything = 2n ** 256n - 1n

/** `GET /v1/convert/allowance`: how much of a token the swap contract of the chain, or another one, may spend. */
export function createAllowanceEndpoint({
  chains,
  pools,
  sources,
}: ConvertDependencies & { pools: EndpointPools }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/convert/allowance',
    group: 'Convert',
    summary: "How much of a token the chain's swap contract, or the spender in the request, may spend.",
    query: Type.Object({
      ...commonQuery,
      tokenAddress: accountIdSchema,
      userAddress: accountIdSchema,
      spenderAddress: Type.Optional(accountIdSchema),
    }),
    response: Type.Object({ allowance: Type.String() }),
    example: {
      query: {
        tokenAddress: exampleIds.token,
        userAddress: exampleIds.user,
      },
    },
    async handle({ query: { tokenAddress, userAddress, spenderAddress }, log }) {
      const token = parseEvmAccountId('tokenAddress', tokenAddress)
      const chain = chains.find(({ caipNetworkId }) => caipNetworkId === token.chainId)
      if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
      const owner = parseEvmAccountId('userAddress', userAddress, token.chainId)
      const spender =
        spenderAddress === undefined
          ? (sources.of(chain)?.spender ?? chain.swapContract)
          : parseEvmAccountId('spenderAddress', spenderAddress, token.chainId).address
      if (spender === undefined)
        throw new Problem(400, 'spenderAddress', 'This chain has no swap contract. Name a spender.')
      if (token.address === nativeAddress) return { allowance: String(everything) }
      const data = `${selector}${encodeAddressWord(owner.address)}${encodeAddressWord(spender)}`
      const call = ['eth_call', [{ to: token.address, data }, 'latest']] as const
      const [returned] = await createChainRpc(pools.get(chain))
        .tryBatch([call])
        .catch((cause: unknown) => {
          log.warn({ chain: chain.caipNetworkId, reason: cause instanceof Error ? cause.message : '' }, 'no allowance')
          throw new Problem(503, 'chainId', 'The chain is not available.', { cause })
        })
      const amount = parseAbiWord(returned)
      if (amount === undefined) throw new Problem(400, 'tokenAddress', 'This is not a token.')
      return { allowance: String(amount) }
    },
  })
}

function encodeAddressWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0')
}
