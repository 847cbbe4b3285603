import { parseChainId } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import { createChainRpc } from '../../kit/chainRpc.ts'
import type { Chain } from '../../kit/chains.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { Pools } from '../../kit/pools.ts'
import { commonQuery } from '../questions.ts'
import { field } from '../solana/read.ts'

/** How many blocks are looked at, and which of their tips, in per cent of the gas that paid less. */
const history = { blocks: '0xa', percentiles: [25, 50, 90] } as const
type GasPrices = { standard: string; fast: string; instant: string }

/** `GET /v1/convert/gas-price`: what gas costs on a chain, in wei, by how soon a transaction shall be in a block. */
export function gasPrice({ chains, pools }: { chains: readonly Chain[]; pools: Pools }): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/v1/convert/gas-price',
    group: 'Convert',
    summary: 'What gas costs on a chain, in wei, by how soon a transaction shall be in a block.',
    query: Type.Object({ ...commonQuery, chainId: Type.String({ maxLength: 41 }) }),
    answer: Type.Object({ standard: Type.String(), fast: Type.String(), instant: Type.String() }),
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
        throw new Problem(503, 'chainId', 'The chain does not answer.', { cause })
      }
    },
  })
}

/** @throws Error when the chain tells neither what it suggests nor what was paid lately */
async function readGasPrices(chain: Chain, pools: Pools): Promise<GasPrices> {
  const { blocks, percentiles } = history
  const [suggested, lately] = await createChainRpc(pools.of(chain)).tryAll([
    ['eth_gasPrice', []],
    ['eth_feeHistory', [blocks, 'latest', percentiles]],
  ])
  const least = readQuantity(suggested)
  // The list ends with the block that comes next.
  const base = readQuantity(listOf(field(lately, 'baseFeePerGas')).at(-1)) ?? least
  if (base === undefined) throw new Error('The chain told no gas price.')
  const rewards = listOf(field(lately, 'reward'))
  // A base fee rises by an eighth at most from block to block: the faster ones have that many in hand.
  const price = (at: 0 | 1 | 2): string => {
    const tip = median(rewards.flatMap((block) => readQuantity(listOf(block)[at]) ?? []))
    const wanted = base + (base * BigInt(at)) / 8n + tip
    return String(least === undefined || wanted > least ? wanted : least)
  }
  return { standard: price(0), fast: price(1), instant: price(2) }
}

function median(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
  return sorted[Math.floor(sorted.length / 2)] ?? 0n
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function readQuantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : undefined
}
