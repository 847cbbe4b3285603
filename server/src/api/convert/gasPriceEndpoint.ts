import { parseChainId } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import { createChainRpc } from '../../kit/chain/chainRpc.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { commonQuery } from '../http/commonQuery.ts'
import { getField } from '../../kit/runtime/getField.ts'

/** The number of blocks, and the percentiles of their tips, weighted by gas. */
const history = { blocks: '0xa', percentiles: [25, 50, 90] } as const
type GasPrices = { standard: string; fast: string; instant: string }

/** `GET /v1/convert/gas-price`: gas prices of a chain in wei, by urgency. */
export function createGasPriceEndpoint({
  chains,
  pools,
}: {
  chains: readonly Chain[]
  pools: EndpointPools
}): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/convert/gas-price',
    group: 'Convert',
    summary: 'The gas prices of a chain in wei, by urgency.',
    query: Type.Object({ ...commonQuery, chainId: Type.String({ maxLength: 41 }) }),
    response: Type.Object({ standard: Type.String(), fast: Type.String(), instant: Type.String() }),
    example: { query: { chainId: 'eip155:31337' } },
    async handle({ query: { chainId }, log }) {
      const chain = chains.find(({ caipNetworkId }) => caipNetworkId === chainId)
      if (chain === undefined || parseChainId(chain.caipNetworkId).namespace !== 'eip155') {
        throw new Problem(400, 'chainId', 'This chain is not supported here.')
      }
      try {
        return await readGasPrices(chain, pools)
      } catch (cause) {
        log.warn({ chain: chainId, reason: cause instanceof Error ? cause.message : '' }, 'no gas price')
        throw new Problem(503, 'chainId', 'The chain is not available.', { cause })
      }
    },
  })
}

/** @throws Error if the chain returns neither a suggested price nor a fee history */
async function readGasPrices(chain: Chain, pools: EndpointPools): Promise<GasPrices> {
  const { blocks, percentiles } = history
  const [suggested, lately] = await createChainRpc(pools.get(chain)).tryBatch([
    ['eth_gasPrice', []],
    ['eth_feeHistory', [blocks, 'latest', percentiles]],
  ])
  const least = readQuantity(suggested)
  // The last entry is the next block.
  const base = readQuantity(listOf(getField(lately, 'baseFeePerGas')).at(-1)) ?? least
  if (base === undefined) throw new Error('The chain returned no gas price.')
  const rewards = listOf(getField(lately, 'reward'))
  // A base fee rises by at most an eighth per block. Faster prices allow for more such rises.
  const price = (at: 0 | 1 | 2): string => {
    const tip = getMedian(rewards.flatMap((block) => readQuantity(listOf(block)[at]) ?? []))
    const wanted = base + (base * BigInt(at)) / 8n + tip
    return String(least === undefined || wanted > least ? wanted : least)
  }
  return { standard: price(0), fast: price(1), instant: price(2) }
}

function getMedian(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
  return sorted[Math.floor(sorted.length / 2)] ?? 0n
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function readQuantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : undefined
}
