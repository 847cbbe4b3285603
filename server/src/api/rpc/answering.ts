import { parseChainId } from '@latchkey/protocol'
import type { Chain } from '../../kit/chains.ts'
import type { Clock } from '../../kit/clock.ts'
import type { EndpointPool } from '../../kit/endpointPool.ts'
import { Problem } from '../../kit/problem.ts'
import type { Pools } from '../../kit/pools.ts'
import { NoEndpoint } from '../../kit/rpc.ts'
import { logRange, quantity, read, refuse, refuseRange, type Refusal, type RpcRequest } from './allowance.ts'
import { createKeptAnswers } from './keptAnswers.ts'
import { judgeSent, sends, sentId } from './sending.ts'

/** Answers JSON-RPC for chains: by itself, from what was kept, or by asking a node. */
export type Answering = {
  /** @throws Problem 503 `chainId` when no node answers */
  answer(chain: Chain, item: unknown): Promise<unknown>
}

export type AnsweringParts = { pools: Pools; clock: Clock }

/** Makes the answering side of the proxy. */
export function createAnswering({ pools, clock }: AnsweringParts): Answering {
  const kept = createKeptAnswers({ clock })

  async function askChain(chain: Chain, request: RpcRequest): Promise<unknown> {
    const { id } = request
    const pool = pools.of(chain)
    const range = logRange(request)
    const refusal =
      range && refuseRange(range, range.from === undefined || range.to === undefined ? await headOf(pool) : 0n)
    if (refusal !== undefined) return failure(id, refusal)
    if (sends(request)) return send(pool, request)
    const found = kept.find(chain.caipNetworkId, request)
    if (found !== undefined) return { id, jsonrpc: '2.0', result: found.result }
    const answer = await pool.ask(request)
    kept.note(chain.caipNetworkId, request, read(answer, 'result'))
    return answer
  }

  return {
    async answer(chain, item) {
      if (!isRequest(item)) return failure(null, { code: -32600, message: 'Invalid Request' })
      const { namespace } = parseChainId(chain.caipNetworkId)
      const refusal = refuse(namespace, item)
      if (refusal !== undefined) return failure(item.id, refusal)
      const own = localAnswer(chain, item.method)
      if (own !== undefined) return { id: item.id, jsonrpc: '2.0', result: own }
      try {
        return await askChain(chain, item)
      } catch (cause) {
        if (cause instanceof NoEndpoint) throw new Problem(503, 'chainId', 'The chain does not answer.', { cause })
        throw cause
      }
    },
  }
}

/** Sends something once. That a node has it already is what was wanted, so it is a success. */
async function send(pool: EndpointPool, request: RpcRequest): Promise<unknown> {
  const answer = await pool.ask(request, { once: true })
  if (read(answer, 'error') === undefined) return answer
  const judged = judgeSent(request, answer)
  const sent = judged === 'refused' ? undefined : sentId(request)
  if (sent === undefined) return answer
  const isThere = judged === 'known' || (await isMined(pool, sent))
  return isThere ? { id: request.id, jsonrpc: '2.0', result: sent } : answer
}

async function isMined(pool: EndpointPool, hash: string): Promise<boolean> {
  const question = { id: 1, jsonrpc: '2.0', method: 'eth_getTransactionByHash', params: [hash] }
  const answer = await pool.ask(question).catch(() => undefined)
  return typeof read(answer, 'result') === 'object' && read(answer, 'result') !== null
}

/** Where a tag leads, as far as it matters: nobody may ask for all logs by naming one end only. */
async function headOf(pool: EndpointPool): Promise<bigint> {
  const answer = await pool.ask({ id: 1, jsonrpc: '2.0', method: 'eth_blockNumber', params: [] })
  const head = quantity(read(answer, 'result'))
  if (head === undefined) throw new NoEndpoint('The chain does not tell its head.')
  return head
}

/** What does not change needs no node. */
function localAnswer({ caipNetworkId }: Chain, method: string): unknown {
  const { namespace, reference } = parseChainId(caipNetworkId)
  if (namespace !== 'eip155') return undefined
  if (method === 'eth_chainId') return `0x${BigInt(reference).toString(16)}`
  if (method === 'net_version') return reference
  return method === 'net_listening' ? true : undefined
}

/** Whether this is a request of JSON-RPC that wants an answer. */
export function isRequest(value: unknown): value is RpcRequest {
  if (typeof value !== 'object' || value === null) return false
  const { id, jsonrpc, method } = value as Record<string, unknown>
  const isId = id === null || typeof id === 'string' || typeof id === 'number'
  return isId && jsonrpc === '2.0' && typeof method === 'string'
}

/** An answer that says why there is none. */
export function failure(id: RpcRequest['id'], error: Refusal): object {
  return { id, jsonrpc: '2.0', error }
}
