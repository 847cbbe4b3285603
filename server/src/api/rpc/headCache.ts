import type { Clock } from '../../kit/runtime/clock.ts'
import { rpcCacheKey } from './rpcCache.ts'
import type { RpcRequest } from './rpcPolicy.ts'

/** A short cache of results that follow from the head of a chain, which all clients poll. */
export type HeadCache = {
  find(chain: string, request: RpcRequest): { result: unknown } | undefined
  note(chain: string, request: RpcRequest, result: unknown): void
  /** Drops the results of a chain, because a transaction was sent whose sender expects to see it. */
  drop(chain: string): void
}

/** Clients poll once a second or less often, so that a result is at most half a poll old. */
const ttlMs = 500
/** Maximum number of results of a chain, because parameters come from clients. Above it, all are dropped. */
const maxResults = 32

const headMethods: readonly string[] = [
  'eth_blockNumber',
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_blobBaseFee',
  'eth_feeHistory',
]
const headTags: readonly unknown[] = ['latest', 'safe', 'finalized']

/** Creates an empty cache. */
export function createHeadCache(clock: Clock): HeadCache {
  const chains = new Map<string, Map<string, { result: unknown; until: number }>>()
  return {
    find(chain, request) {
      const entry = isHeadRequest(request) ? chains.get(chain)?.get(rpcCacheKey(chain, request)) : undefined
      return entry !== undefined && clock.now() < entry.until ? { result: entry.result } : undefined
    },
    note(chain, request, result) {
      if (result === undefined || result === null || !isHeadRequest(request)) return
      const results = chains.get(chain) ?? new Map<string, { result: unknown; until: number }>()
      if (results.size >= maxResults) results.clear()
      results.set(rpcCacheKey(chain, request), { result, until: clock.now() + ttlMs })
      chains.set(chain, results)
    },
    drop: (chain) => void chains.delete(chain),
  }
}

function isHeadRequest({ method, params }: RpcRequest): boolean {
  if (headMethods.includes(method)) return true
  const [block, isComplete] = Array.isArray(params) ? params : []
  // Complete blocks are large, and few clients read them.
  return method === 'eth_getBlockByNumber' && headTags.includes(block) && isComplete !== true
}
