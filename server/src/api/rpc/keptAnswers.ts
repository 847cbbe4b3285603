import type { Clock } from '../../kit/clock.ts'
import type { RpcRequest } from './allowance.ts'
import { headOf, lasts, mayLast, wentBack } from './lasting.ts'

/** Answers of chains that never change, so that no node has to be asked for them twice. */
export type KeptAnswers = {
  /** The result that was kept for a question. */
  find(chain: string, request: RpcRequest): { result: unknown } | undefined
  /** Looks at a result that a chain gave, and keeps it when it lasts. */
  note(chain: string, request: RpcRequest, result: unknown): void
}

export type KeptAnswersOptions = {
  clock: Clock
  /** Of all texts together. */
  bytes?: number
}

const mebibyte = 1024 * 1024
/** In milliseconds. */
const life = 3_600_000
/** One answer may not push all the others out. */
const mostOfOne = mebibyte

type Entry = { text: string; size: number; until: number }

/** Keeps at most 64 MiB; what was not asked for the longest goes first. Errors and what is pending are never kept. */
export function createKeptAnswers({ clock, bytes = 64 * mebibyte }: KeptAnswersOptions): KeptAnswers {
  const entries = new Map<string, Entry>()
  const heads = new Map<string, bigint>()
  let held = 0

  function drop(key: string): void {
    held -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }

  function noteHead(chain: string, head: bigint): void {
    const known = heads.get(chain)
    if (known !== undefined && wentBack(known, head)) {
      for (const key of entries.keys()) if (key.startsWith(`${chain} `)) drop(key)
      heads.delete(chain)
    }
    if (known === undefined || head > known || wentBack(known, head)) heads.set(chain, head)
  }

  return {
    find(chain, request) {
      if (!mayLast(request)) return undefined
      const key = keyOf(chain, request)
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      drop(key)
      if (clock.now() >= entry.until) return undefined
      entries.set(key, entry)
      held += entry.size
      return { result: JSON.parse(entry.text) as unknown }
    },
    note(chain, request, result) {
      const head = headOf(request, result)
      if (head !== undefined) noteHead(chain, head)
      if (!lasts(request, result, heads.get(chain))) return
      const key = keyOf(chain, request)
      const text = JSON.stringify(result)
      // A text takes up to two bytes for each of its signs.
      const size = 2 * (key.length + text.length)
      drop(key)
      if (size > Math.min(mostOfOne, bytes)) return
      entries.set(key, { text, size, until: clock.now() + life })
      held += size
      for (const oldest of entries.keys()) {
        if (held <= bytes) break
        drop(oldest)
      }
    },
  }
}

/** Chain, method and parameters: nothing of who asks. */
function keyOf(chain: string, { method, params }: RpcRequest): string {
  return `${chain} ${method} ${JSON.stringify(params ?? [])}`
}
