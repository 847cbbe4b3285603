import { Type } from '@sinclair/typebox'
import { createChainRpc } from '../../kit/chainRpc.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { Pools } from '../../kit/pools.ts'
import { commonQuery } from '../questions.ts'
import { readWord } from '../tokens/abi.ts'
import { caip10, readId, type ConvertParts } from './asked.ts'
import { exampleIds } from './exampleIds.ts'
import { nativeAddress } from './routeSource.ts'

/** `allowance(address,address)`, as the ABI writes it. */
const selector = '0xdd62ed3e'
/** Nobody has to be allowed to take what is sent along. */
const everything = 2n ** 256n - 1n

/** `GET /v1/convert/allowance`: how much of a token the chain's swap contract, or another one, may take. */
export function allowance({ chains, pools, sources }: ConvertParts & { pools: Pools }): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/v1/convert/allowance',
    group: 'Convert',
    summary: "How much of a token the chain's swap contract may take, or the one that is named.",
    query: Type.Object({
      ...commonQuery,
      tokenAddress: caip10,
      userAddress: caip10,
      spenderAddress: Type.Optional(caip10),
    }),
    answer: Type.Object({ allowance: Type.String() }),
    example: {
      query: {
        tokenAddress: exampleIds.token,
        userAddress: exampleIds.user,
      },
    },
    async handle({ query: { tokenAddress, userAddress, spenderAddress }, log }) {
      const token = readId('tokenAddress', tokenAddress)
      const chain = chains.find(({ caipNetworkId }) => caipNetworkId === token.chainId)
      if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
      const owner = readId('userAddress', userAddress, token.chainId)
      const spender =
        spenderAddress === undefined
          ? (sources.of(chain)?.spender ?? chain.swapContract)
          : readId('spenderAddress', spenderAddress, token.chainId).address
      if (spender === undefined) throw new Problem(400, 'spenderAddress', 'No contract swaps here; name one.')
      if (token.address === nativeAddress) return { allowance: String(everything) }
      const data = `${selector}${word(owner.address)}${word(spender)}`
      const call = ['eth_call', [{ to: token.address, data }, 'latest']] as const
      const [returned] = await createChainRpc(pools.of(chain))
        .tryAll([call])
        .catch((cause: unknown) => {
          log.warn({ chain: chain.caipNetworkId, reason: cause instanceof Error ? cause.message : '' }, 'no allowance')
          throw new Problem(503, 'chainId', 'The chain does not answer.', { cause })
        })
      const amount = readWord(returned)
      if (amount === undefined) throw new Problem(400, 'tokenAddress', 'This is not a token.')
      return { allowance: String(amount) }
    },
  })
}

function word(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0')
}
