import { LRUCache } from 'lru-cache'
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

export type HeadCacheOptions = {
  clock: Clock
  /** The memory of all results; 16 MiB by default. */
  bytes?: number
}

/** Clients poll once a second or less often, so that a result is at most half a poll old. */
const ttlMs = 500
const mebibyte = 1024 * 1024
/** Clients choose the parameters: a history of fees can have a hundred thousand values. */
const maxEntryBytes = mebibyte / 2
const maxResults = 2_000
/** About the memory of an entry, and of a value in a result, without the letters of texts. */
const [entryBytes, valueBytes] = [400, 24]

const headMethods: readonly string[] = [
  'eth_blockNumber',
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_blobBaseFee',
  'eth_feeHistory',
]
const headTags: readonly unknown[] = ['latest', 'safe', 'finalized']

/** Creates an empty cache. */
export function createHeadCache({ clock, bytes = 16 * mebibyte }: HeadCacheOptions): HeadCache {
  const entries = new LRUCache<string, { result: unknown }>({
    max: maxResults,
    maxSize: bytes,
    maxEntrySize: Math.min(maxEntryBytes, bytes),
    sizeCalculation: ({ result }, key) => entryBytes + 2 * key.length + estimateBytes(result),
    // `lru-cache` still returns an entry whose age equals its TTL.
    ttl: ttlMs - 1,
    perf: clock,
    ttlResolution: 0,
  })
  return {
    find: (chain, request) => (isHeadRequest(request) ? entries.get(rpcCacheKey(chain, request)) : undefined),
    note(chain, request, result) {
      if (result === undefined || result === null || !isHeadRequest(request)) return
      entries.set(rpcCacheKey(chain, request), { result })
    },
    drop(chain) {
      for (const key of entries.keys()) if (key.startsWith(`${chain} `)) entries.delete(key)
    },
  }
}

/** Estimates the memory of a parsed JSON value. */
function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return valueBytes + value.length
  if (typeof value !== 'object' || value === null) return valueBytes
  return Object.values(value).reduce((sum: number, each: unknown) => sum + estimateBytes(each), valueBytes)
}

function isHeadRequest({ method, params }: RpcRequest): boolean {
  if (headMethods.includes(method)) return true
  const [block, isComplete] = Array.isArray(params) ? params : []
  // Complete blocks are large, and few clients read them.
  return method === 'eth_getBlockByNumber' && headTags.includes(block) && isComplete !== true
}
