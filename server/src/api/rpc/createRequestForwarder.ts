import type { Chain } from '../../kit/chain/chains.ts'
import type { EndpointPool } from '../../kit/chain/endpointPool.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { isReadingMethod } from '../../kit/chain/isReadRequest.ts'
import { isEndpointFault, RequestTooLargeError } from '../../kit/chain/postJsonRpc.ts'
import { getField } from '../../kit/runtime/getField.ts'
import { rpcCacheKey } from './rpcCache.ts'
import type { RpcMetrics } from './rpcMetrics.ts'
import type { RpcRequest } from './rpcPolicy.ts'

/** Forwards requests to the nodes of a chain. */
export type RequestForwarder = {
  /**
   * Forwards several requests at once as a batch. Identical requests that are pending share one response.
   *
   * @returns a response for each request, in order, with its id
   */
  forward(chain: Chain, requests: readonly RpcRequest[]): readonly Promise<unknown>[]
}

/** True if concurrent clients may share the response of a request. */
export function isShareable({ method }: RpcRequest): boolean {
  return isReadingMethod(method)
}

/** Creates the forwarder. */
export function createRequestForwarder(pools: EndpointPools, metrics: RpcMetrics): RequestForwarder {
  const pending = new Map<string, Promise<unknown>>()

  function share(key: string, response: Promise<unknown>): void {
    pending.set(key, response)
    const forget = (): void => void pending.delete(key)
    response.then(forget, forget)
  }

  return {
    forward(chain, requests) {
      const keys = requests.map((request) => rpcCacheKey(chain.caipNetworkId, request))
      const fresh = new Map(
        requests.flatMap((request, index): [string, RpcRequest][] => {
          const key = keys[index] ?? ''
          return pending.has(key) ? [] : [[key, request]]
        }),
      )
      requests.forEach((_request, index) =>
        metrics.countCall(chain.caipNetworkId, index < fresh.size ? 'endpoint' : 'shared'),
      )
      const started = sendAll(pools.get(chain), [...fresh.values()])
      for (const [index, key] of [...fresh.keys()].entries()) share(key, started[index] ?? Promise.resolve(undefined))
      return requests.map(async (request, index) => {
        const response = await pending.get(keys[index] ?? '')
        return typeof response === 'object' && response !== null ? { ...response, id: request.id } : response
      })
    },
  }
}

function sendAll(pool: EndpointPool, requests: readonly RpcRequest[]): readonly Promise<unknown>[] {
  if (requests.length < 2) return requests.map((request) => pool.request(request))
  const responses = sendBatch(pool, requests)
  return requests.map(async (request, index) => {
    const response = (await responses).get(index)
    // An endpoint at its limit responds only to a part of a batch; others may respond to the rest.
    return response === undefined || isEndpointFault(response) ? pool.request(request) : response
  })
}

/** Sends a batch. Returns no responses if all endpoints refuse a batch of this size. */
async function sendBatch(pool: EndpointPool, requests: readonly RpcRequest[]): Promise<ReadonlyMap<unknown, unknown>> {
  try {
    const responses = await pool.request(requests.map((request, id) => ({ ...request, id })))
    if (!Array.isArray(responses)) return new Map()
    return new Map(responses.map((response: unknown) => [getField(response, 'id'), response]))
  } catch (error) {
    if (error instanceof RequestTooLargeError) return new Map()
    throw error
  }
}
