import { parseChainId } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import type { Chain } from '../../kit/chains.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { Pools } from '../../kit/pools.ts'
import { NoEndpoint } from '../../kit/rpc.ts'
import { commonQuery } from '../questions.ts'
import { refuse, type Refusal, type RpcRequest } from './allowance.ts'

type RpcParts = { chains: readonly Chain[]; pools: Pools }

const batchLimit = 20
/** Done twice, it could do harm; so one endpoint is asked, once. */
const onceOnly: readonly string[] = ['eth_sendRawTransaction']

/** `POST /v1?chainId=…`, also with a slash: JSON-RPC for configured chains, passed on to their endpoints. */
export function rpc({ chains, pools }: RpcParts): readonly Endpoint[] {
  return (['/v1', '/v1/'] as const).map((path) =>
    endpoint({
      method: 'POST',
      path,
      group: 'Chains',
      summary: 'JSON-RPC for a chain, single or in a batch, passed on to its nodes.',
      query: Type.Object({ ...commonQuery, chainId: Type.String({ maxLength: 41 }) }),
      body: Type.Unknown(),
      answer: Type.Unknown(),
      cost: costOf,
      example: {
        query: { chainId: 'eip155:31337' },
        body: { id: 1, jsonrpc: '2.0', method: 'eth_chainId', params: [] },
      },
      async handle({ query, body }) {
        const chain = chains.find(({ caipNetworkId }) => caipNetworkId === query.chainId)
        if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
        const answers = await Promise.all(batchOf(body).map((item) => answer(pools, chain, item)))
        return Array.isArray(body) ? answers : answers[0]
      },
    }),
  )
}

function batchOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body]
}

/** @throws Problem 413 when it is empty or too long. */
function costOf(body: unknown): number {
  const { length } = batchOf(body)
  if (length === 0 || length > batchLimit) throw new Problem(413, '', `A batch has 1 to ${batchLimit} requests.`)
  return length
}

async function answer(pools: Pools, chain: Chain, item: unknown): Promise<unknown> {
  if (!isRequest(item)) return failure(null, { code: -32600, message: 'Invalid Request' })
  const { id, method } = item
  const refusal = refuse(item)
  if (refusal !== undefined) return failure(id, refusal)
  const own = localAnswer(chain, method)
  if (own !== undefined) return { id, jsonrpc: '2.0', result: own }
  try {
    return await pools.of(chain).ask(item, { once: onceOnly.includes(method) })
  } catch (error) {
    if (error instanceof NoEndpoint) throw new Problem(503, 'chainId', 'The chain does not answer.', { cause: error })
    throw error
  }
}

/** What does not change needs no node. */
function localAnswer({ caipNetworkId }: Chain, method: string): unknown {
  const { namespace, reference } = parseChainId(caipNetworkId)
  if (namespace !== 'eip155') return undefined
  if (method === 'eth_chainId') return `0x${BigInt(reference).toString(16)}`
  if (method === 'net_version') return reference
  return method === 'net_listening' ? true : undefined
}

function isRequest(value: unknown): value is RpcRequest {
  if (typeof value !== 'object' || value === null) return false
  const { id, jsonrpc, method } = value as Record<string, unknown>
  const isId = id === null || typeof id === 'string' || typeof id === 'number'
  return isId && jsonrpc === '2.0' && typeof method === 'string'
}

function failure(id: RpcRequest['id'], error: Refusal): object {
  return { id, jsonrpc: '2.0', error }
}
