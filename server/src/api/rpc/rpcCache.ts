import type { Clock } from '../../kit/runtime/clock.ts'
import type { RpcRequest } from './rpcPolicy.ts'
import { findReportedHead, isImmutableResult, isCacheable, isReset } from './isCacheable.ts'

/** A cache of immutable results of chains. */
export type RpcCache = {
  /** Finds the cached result of a request. */
  find(chain: string, request: RpcRequest): { result: unknown } | undefined
  /** Stores a result if it is immutable. */
  note(chain: string, request: RpcRequest, result: unknown): void
}

export type RpcCacheOptions = {
  clock: Clock
  /** The memory of all entries; 64 MiB by default. */
  bytes?: number
}

const mebibyte = 1024 * 1024
const ttlMs = 3_600_000
/** Limits a single entry, so that it does not evict all others. */
const maxEntryBytes = mebibyte
/** About the memory of an entry without its strings, as measured. */
const entryBytes = 200

type Entry = { text: string; size: number; until: number }

/** Creates a cache that evicts the least recently used entry. Errors and pending values are never cached. */
export function createRpcCache({ clock, bytes = 64 * mebibyte }: RpcCacheOptions): RpcCache {
  const entries = new Map<string, Entry>()
  const heads = new Map<string, bigint>()
  let held = 0

  function drop(key: string): void {
    held -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }

  function noteHead(chain: string, head: bigint): void {
    const known = heads.get(chain)
    if (known !== undefined && isReset(known, head)) {
      for (const key of entries.keys()) if (key.startsWith(`${chain} `)) drop(key)
      heads.delete(chain)
    }
    if (known === undefined || head > known || isReset(known, head)) heads.set(chain, head)
  }

  return {
    find(chain, request) {
      if (!isCacheable(request)) return undefined
      const key = rpcCacheKey(chain, request)
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      drop(key)
      if (clock.now() >= entry.until) return undefined
      entries.set(key, entry)
      held += entry.size
      return { result: JSON.parse(entry.text) as unknown }
    },
    note(chain, request, result) {
      const head = findReportedHead(request, result)
      if (head !== undefined) noteHead(chain, head)
      if (!isImmutableResult(request, result, heads.get(chain))) return
      const key = rpcCacheKey(chain, request)
      const text = JSON.stringify(result)
      // A string takes up to two bytes per character.
      const size = entryBytes + 2 * (key.length + text.length)
      drop(key)
      if (size > Math.min(maxEntryBytes, bytes)) return
      entries.set(key, { text, size, until: clock.now() + ttlMs })
      held += size
      for (const oldest of entries.keys()) {
        if (held <= bytes) break
        drop(oldest)
      }
    },
  }
}

/** Formats the cache key: chain, method and parameters, nothing of the client. */
export function rpcCacheKey(chain: string, { method, params }: RpcRequest): string {
  return `${chain} ${method} ${JSON.stringify(params ?? [])}`
}
