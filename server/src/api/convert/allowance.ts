import { isAccountId, parseAccountId } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import { createChainRpc } from '../../kit/chainRpc.ts'
import type { Chain } from '../../kit/chains.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { Pools } from '../../kit/pools.ts'
import { commonQuery, isAddressOf } from '../questions.ts'
import { readWord } from '../tokens/abi.ts'

/** `allowance(address,address)`, as the ABI writes it. */
const selector = '0xdd62ed3e'
const nativeAddress = `0x${'e'.repeat(40)}`
/** Nobody has to be allowed to take what is sent along. */
const everything = 2n ** 256n - 1n
const caip10 = Type.String({ maxLength: 180 })
const example = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

type Named = 'tokenAddress' | 'userAddress' | 'spenderAddress'

/** `GET /v1/convert/allowance`: how much of a token the chain's swap contract, or another one, may take. */
export function allowance({ chains, pools }: { chains: readonly Chain[]; pools: Pools }): Endpoint {
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
        tokenAddress: `eip155:31337:${nativeAddress}`,
        userAddress: `eip155:31337:${example}`,
        spenderAddress: `eip155:31337:${example}`,
      },
    },
    async handle({ query: { tokenAddress, userAddress, spenderAddress }, log }) {
      const token = readEvm('tokenAddress', tokenAddress)
      const chain = chains.find(({ caipNetworkId }) => caipNetworkId === token.chainId)
      if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
      const owner = readEvm('userAddress', userAddress, token.chainId)
      const spender =
        spenderAddress === undefined
          ? chain.swapContract
          : readEvm('spenderAddress', spenderAddress, token.chainId).address
      if (spender === undefined) throw new Problem(400, 'spenderAddress', 'No contract swaps here; name one.')
      if (token.address.toLowerCase() === nativeAddress) return { allowance: String(everything) }
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

/** @throws Problem 400 that names the field. */
function readEvm(field: Named, text: string, chainId?: string): { chainId: string; address: string } {
  if (!isAccountId(text)) throw new Problem(400, field, 'This is not a CAIP-10 id.')
  const parts = parseAccountId(text)
  if (parts.namespace !== 'eip155' || !isAddressOf('eip155', parts.address)) {
    throw new Problem(400, field, 'This is not an address of eip155.')
  }
  if (chainId !== undefined && parts.chainId !== chainId) throw new Problem(400, field, 'This is on another chain.')
  return parts
}

function word(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0')
}
