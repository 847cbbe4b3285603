import { getField } from '../runtime/getField.ts'
import type { EndpointPool, PoolRequestOptions } from './endpointPool.ts'

/** A node responded with an error, or to a different request. */
export class ChainRequestError extends Error {
  override readonly name: string = 'ChainRequestError'
}

/** One JSON-RPC request. */
export type ChainRequest = readonly [method: string, params: readonly unknown[]]

/** Sends requests to the nodes of one chain. */
export type ChainRpc = {
  /**
   * @returns the results, in the order of the requests
   * @throws ChainRequestError if one of them gets an error; NoEndpointError if no node responds
   */
  batch(requests: readonly ChainRequest[]): Promise<readonly unknown[]>
  /** Like `batch`, with `undefined` for each request that gets an error. */
  tryBatch(requests: readonly ChainRequest[]): Promise<readonly unknown[]>
  /** Like `batch`, with a ChainRequestError in place of the result of each request that gets an error. */
  settle(requests: readonly ChainRequest[], options?: PoolRequestOptions): Promise<readonly unknown[]>
}

/** Creates the RPC client of a chain's endpoints. */
export function createChainRpc(pool: EndpointPool): ChainRpc {
  async function settle(requests: readonly ChainRequest[], options?: PoolRequestOptions): Promise<readonly unknown[]> {
    if (requests.length === 0) return []
    const batch = requests.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const responses = await pool.request(batch, options)
    if (!Array.isArray(responses)) throw new ChainRequestError('The chain did not respond to a batch with a batch.')
    // Nodes may respond in any order.
    const byId = new Map(responses.map((response: unknown) => [getField(response, 'id'), response]))
    return batch.map(({ id, method }) => getResult(method, byId.get(id)))
  }

  return {
    settle,
    async batch(requests) {
      const results = await settle(requests)
      const failed = results.find((result) => result instanceof ChainRequestError)
      if (failed !== undefined) throw failed
      return results
    },
    tryBatch: async (requests) =>
      (await settle(requests)).map((result) => (result instanceof ChainRequestError ? undefined : result)),
  }
}

function getResult(method: string, response: unknown): unknown {
  const result = getField(response, 'result')
  if (result !== undefined) return result
  const reason = getField(response, 'error', 'message')
  return new ChainRequestError(`${method}: ${typeof reason === 'string' ? reason : 'no response'}`)
}
