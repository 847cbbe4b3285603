import { Type } from '@sinclair/typebox'
import type { Chain } from '../../kit/chains.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import { commonQuery } from '../questions.ts'
import { failure, isRequest, type Answering } from './answering.ts'

export type RpcParts = { chains: readonly Chain[]; answering: Answering }

const batchLimit = 20
/** Of all answers of a batch together. */
const batchBytes = 10 * 1024 * 1024
const bodyBytes = 512 * 1024

/** `POST /v1?chainId=…`, also with a slash: JSON-RPC for configured chains, passed on to their endpoints. */
export function rpc({ chains, answering }: RpcParts): readonly Endpoint[] {
  return (['/v1', '/v1/'] as const).map((path) =>
    endpoint({
      method: 'POST',
      path,
      group: 'Chains',
      summary: 'JSON-RPC for a chain, single or in a batch, passed on to its nodes.',
      query: Type.Object({ ...commonQuery, chainId: Type.String({ maxLength: 41 }) }),
      body: Type.Unknown(),
      bodyBytes,
      answer: Type.Unknown(),
      cost: costOf,
      example: {
        query: { chainId: 'eip155:31337' },
        body: { id: 1, jsonrpc: '2.0', method: 'eth_chainId', params: [] },
      },
      async handle({ query, body }) {
        const chain = chainOf(chains, query.chainId)
        if (!Array.isArray(body)) return answering.answer(chain, body)
        const items: readonly unknown[] = body
        return shorten(items, await Promise.all(items.map((item) => answering.answer(chain, item))))
      },
    }),
  )
}

/** @throws Problem 400 `chainId` when the chain is not configured */
export function chainOf(chains: readonly Chain[], chainId: string | undefined): Chain {
  const chain = chains.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
  return chain
}

/** @throws Problem 413 when it is empty or too long. */
function costOf(body: unknown): number {
  const length = Array.isArray(body) ? body.length : 1
  if (length === 0 || length > batchLimit) throw new Problem(413, '', `A batch has 1 to ${batchLimit} requests.`)
  return length
}

/** Answers that together are more than one may be given are left out from the first that is too much on. */
function shorten(items: readonly unknown[], answers: readonly unknown[]): readonly unknown[] {
  let size = 0
  return answers.map((answer, index) => {
    size += JSON.stringify(answer).length
    const item = items[index]
    if (size <= batchBytes || !isRequest(item)) return answer
    return failure(item.id, { code: -32005, message: 'The answers of this batch are too long: ask for less at once.' })
  })
}
