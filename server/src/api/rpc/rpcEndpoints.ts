import { Type } from '@sinclair/typebox'
import type { Chain } from '../../kit/chain/chains.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { commonQuery } from '../http/commonQuery.ts'
import { rpcFailure, isRpcRequest, type RpcResponder } from './rpcResponder.ts'

export type RpcDependencies = { chains: readonly Chain[]; responder: RpcResponder }

const batchLimit = 20
/** Total size of the responses of a batch. */
const batchBytes = 10 * 1024 * 1024
const bodyBytes = 512 * 1024

/** `POST /v1?chainId=…`, also `/v1/`: JSON-RPC for the configured chains, forwarded to their endpoints. */
export function createRpcEndpoints({ chains, responder }: RpcDependencies): readonly Endpoint[] {
  return (['/v1', '/v1/'] as const).map((path) =>
    defineEndpoint({
      method: 'POST',
      path,
      group: 'Chains',
      summary: 'JSON-RPC for a chain, single or in a batch, forwarded to its nodes.',
      query: Type.Object({ ...commonQuery, chainId: Type.String({ maxLength: 41 }) }),
      body: Type.Unknown(),
      maxBodyBytes: bodyBytes,
      response: Type.Unknown(),
      cost: getBatchCost,
      example: {
        query: { chainId: 'eip155:31337' },
        body: { id: 1, jsonrpc: '2.0', method: 'eth_chainId', params: [] },
      },
      async handle({ query, body }) {
        const chain = getConfiguredChain(chains, query.chainId)
        if (!Array.isArray(body)) return responder.respond(chain, body)
        const items: readonly unknown[] = body
        return limitBatchSize(items, await responder.respondAll(chain, items))
      },
    }),
  )
}

/** @throws Problem 400 `chainId` if the chain is not configured */
export function getConfiguredChain(chains: readonly Chain[], chainId: string | undefined): Chain {
  const chain = chains.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
  return chain
}

/** @throws Problem 413 if the batch is empty or too long */
function getBatchCost(body: unknown): number {
  const length = Array.isArray(body) ? body.length : 1
  if (length === 0 || length > batchLimit) throw new Problem(413, '', `A batch has 1 to ${batchLimit} requests.`)
  return length
}

/** Replaces the responses of a batch that exceed the total size with errors. */
function limitBatchSize(items: readonly unknown[], responses: readonly unknown[]): readonly unknown[] {
  let size = 0
  return responses.map((result, index) => {
    size += JSON.stringify(result).length
    const item = items[index]
    if (size <= batchBytes || !isRpcRequest(item)) return result
    return rpcFailure(item.id, {
      code: -32005,
      message: 'The responses of this batch are too large. Send a smaller batch.',
    })
  })
}
