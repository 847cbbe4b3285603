import { parseChainId } from '@latchkey/protocol'
import { Registry } from 'prom-client'
import type { Chain } from '../../kit/chain/chains.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { EndpointPool } from '../../kit/chain/endpointPool.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { NoEndpointError, UpstreamLimitError } from '../../kit/chain/postJsonRpc.ts'
import {
  getLogRange,
  parseRpcQuantity,
  checkRpcPolicy,
  checkLogRange,
  type RpcError,
  type RpcRequest,
} from './rpcPolicy.ts'
import { createRequestForwarder, isShareable } from './createRequestForwarder.ts'
import { createHeadCache, type HeadCache } from './headCache.ts'
import { createRpcCache, type RpcCache } from './rpcCache.ts'
import { createRpcMetrics, type RpcMetrics } from './rpcMetrics.ts'
import { getField } from '../../kit/runtime/getField.ts'
import { classifySendError, isSendRequest, getSentTransactionId } from './sendRequest.ts'

/** Responds to JSON-RPC requests: locally, from the cache, or with the response of a node. */
export type RpcResponder = {
  /** @throws Problem 503 `chainId` if no node is available */
  respond(chain: Chain, item: unknown): Promise<unknown>
  /**
   * Responds to a batch. Requests that need a node are forwarded as one batch.
   *
   * @throws Problem 503 `chainId` if no node is available, with `Retry-After` if the endpoints are at their limit
   */
  respondAll(chain: Chain, items: readonly unknown[]): Promise<readonly unknown[]>
}

export type RpcResponderDependencies = { pools: EndpointPools; clock: Clock; metrics?: RpcMetrics }

/** Creates the responder of the JSON-RPC proxy. */
export function createRpcResponder({
  pools,
  clock,
  metrics = createRpcMetrics(new Registry()),
}: RpcResponderDependencies): RpcResponder {
  const cache = createRpcCache({ clock })
  const headCache = createHeadCache({ clock })
  const forwarder = createRequestForwarder(pools, metrics)

  const respondLocally = createLocalResponder({ pools, cache, headCache, metrics })

  /** Forwards requests that the server cannot respond to itself. */
  function requestChain(chain: Chain, requests: readonly RpcRequest[]): readonly Promise<unknown>[] {
    const pool = pools.get(chain)
    const shared = requests.filter(isShareable)
    const responses = new Map(forwarder.forward(chain, shared).map((response, index) => [shared[index], response]))
    return requests.map(async (request) => {
      const response = await (responses.get(request) ?? forwardAlone(chain, pool, request))
      const result = getField(response, 'result')
      cache.note(chain.caipNetworkId, request, result)
      headCache.note(chain.caipNetworkId, request, result)
      return response
    })
  }

  async function forwardAlone(chain: Chain, pool: EndpointPool, request: RpcRequest): Promise<unknown> {
    metrics.countCall(chain.caipNetworkId, 'endpoint')
    if (!isSendRequest(request)) return pool.request(request)
    try {
      return await sendOnce(pool, request)
    } finally {
      headCache.drop(chain.caipNetworkId)
    }
  }

  async function respondAll(chain: Chain, items: readonly unknown[]): Promise<readonly unknown[]> {
    try {
      const cached = await Promise.all(
        items.map((item) =>
          isRpcRequest(item)
            ? respondLocally(chain, item)
            : rpcFailure(null, { code: -32600, message: 'Invalid Request' }),
        ),
      )
      const forwarded = items.filter((item, index) => cached[index] === undefined && isRpcRequest(item))
      const responses = await Promise.all(requestChain(chain, forwarded.filter(isRpcRequest)))
      const byItem = new Map(responses.map((response, index) => [forwarded[index], response]))
      return items.map((item, index) => cached[index] ?? byItem.get(item))
    } catch (cause) {
      if (cause instanceof UpstreamLimitError) {
        throw new Problem(503, 'chainId', cause.message, { cause, retryAfter: cause.retryAfterSeconds })
      }
      if (cause instanceof NoEndpointError) throw new Problem(503, 'chainId', 'The chain is not available.', { cause })
      throw cause
    }
  }

  return { respond: async (chain, item) => (await respondAll(chain, [item]))[0], respondAll }
}

type LocalResponderDependencies = {
  pools: EndpointPools
  cache: RpcCache
  headCache: HeadCache
  metrics: RpcMetrics
}

/** Creates the responder to requests that need no node: refused ones, constants, and cached results. */
function createLocalResponder({
  pools,
  cache,
  headCache,
  metrics,
}: LocalResponderDependencies): (chain: Chain, request: RpcRequest) => Promise<object | undefined> {
  /** Gets the head of the chain, so that a request with one end cannot ask for all logs. */
  async function getHead(chain: Chain): Promise<bigint> {
    const request: RpcRequest = { id: 1, jsonrpc: '2.0', method: 'eth_blockNumber', params: [] }
    const known = headCache.find(chain.caipNetworkId, request)
    const result = known === undefined ? getField(await pools.get(chain).request(request), 'result') : known.result
    const head = parseRpcQuantity(result)
    if (head === undefined) throw new NoEndpointError('The node did not return the head of the chain.')
    if (known === undefined) headCache.note(chain.caipNetworkId, request, result)
    return head
  }

  /** Checks the range of a request for logs, whose open end is the head of the chain. */
  async function checkRange(chain: Chain, request: RpcRequest): Promise<RpcError | undefined> {
    const range = getLogRange(request)
    if (range === undefined) return undefined
    return checkLogRange(range, range.from === undefined || range.to === undefined ? await getHead(chain) : 0n)
  }

  return async (chain, request) => {
    const { id } = request
    const { caipNetworkId } = chain
    const refusal = checkRpcPolicy(parseChainId(caipNetworkId).namespace, request) ?? (await checkRange(chain, request))
    if (refusal !== undefined) return rpcFailure(id, refusal)
    const own = getLocalResult(chain, request.method)
    if (own !== undefined) {
      metrics.countCall(caipNetworkId, 'server')
      return { id, jsonrpc: '2.0', result: own }
    }
    const found = cache.find(caipNetworkId, request) ?? headCache.find(caipNetworkId, request)
    if (found === undefined) return undefined
    metrics.countCall(caipNetworkId, 'cache')
    return { id, jsonrpc: '2.0', result: found.result }
  }
}

/** Sends a transaction once. A node that already knows it counts as success. */
async function sendOnce(pool: EndpointPool, request: RpcRequest): Promise<unknown> {
  const response = await pool.request(request, { once: true })
  if (getField(response, 'error') === undefined) return response
  const judged = classifySendError(request, response)
  const sent = judged === 'refused' ? undefined : getSentTransactionId(request)
  if (sent === undefined) return response
  const isThere = judged === 'known' || (await isMined(pool, sent))
  return isThere ? { id: request.id, jsonrpc: '2.0', result: sent } : response
}

async function isMined(pool: EndpointPool, hash: string): Promise<boolean> {
  const lookup = { id: 1, jsonrpc: '2.0', method: 'eth_getTransactionByHash', params: [hash] }
  const response = await pool.request(lookup).catch(() => undefined)
  return typeof getField(response, 'result') === 'object' && getField(response, 'result') !== null
}

/** Gets constant results that need no node. */
function getLocalResult({ caipNetworkId }: Chain, method: string): unknown {
  const { namespace, reference } = parseChainId(caipNetworkId)
  if (namespace !== 'eip155') return undefined
  if (method === 'eth_chainId') return `0x${BigInt(reference).toString(16)}`
  if (method === 'net_version') return reference
  return method === 'net_listening' ? true : undefined
}

/** True if the value is a JSON-RPC request with an id. */
export function isRpcRequest(value: unknown): value is RpcRequest {
  if (typeof value !== 'object' || value === null) return false
  const { id, jsonrpc, method } = value as Record<string, unknown>
  const isId = id === null || typeof id === 'string' || typeof id === 'number'
  return isId && jsonrpc === '2.0' && typeof method === 'string'
}

/** Creates a JSON-RPC error response. */
export function rpcFailure(id: RpcRequest['id'], error: RpcError): object {
  return { id, jsonrpc: '2.0', error }
}
