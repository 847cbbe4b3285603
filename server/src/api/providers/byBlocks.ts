import type { Told } from './told.ts'

/** A list of a provider, newest first: what it told, and whether it has more below. */
export type BlockList = { told: readonly Told[]; more: boolean }

/** A page of several lists as one. */
export type BlockPage = { told: readonly Told[]; before: number | null }

/**
 * Makes one page of lists that tell of the same transactions, each from its own side. Whatever lies below the end of a
 * list that has more may not be all there, so a page ends at a block that is whole in each; the next one begins below it.
 *
 * @param size a page has at least so many when there are, and goes on to the end of the block
 */
export function joinLists(lists: readonly BlockList[], size: number): BlockPage {
  const joined = newestFirst(mergeByHash(lists.flatMap(({ told }) => told)))
  const edge = Math.max(...lists.map(({ told, more }) => (more ? (told.at(-1)?.block ?? -1) : -1)))
  const whole = joined.filter(({ block }) => block > edge)
  // One block may be more than a list tells at once: what it tells of it is all that can be had.
  const usable = whole.length > 0 ? whole : joined.filter(({ block }) => block >= edge)
  const last = usable[Math.min(size, usable.length) - 1]
  if (last === undefined) return { told: [], before: null }
  const told = usable.filter(({ block }) => block >= last.block)
  const isEnd = told.length === joined.length && lists.every(({ more }) => !more)
  return { told, before: isEnd ? null : last.block }
}

/** A transaction that several lists tell of is one, with all its movements. */
function mergeByHash(all: readonly Told[]): readonly Told[] {
  const byHash = new Map<string, Told>()
  for (const each of all) {
    const known = byHash.get(each.hash)
    // Lists of transactions come first: they know more than those of movements.
    byHash.set(each.hash, known === undefined ? each : { ...known, moved: [...known.moved, ...each.moved] })
  }
  return [...byHash.values()]
}

function newestFirst(all: readonly Told[]): readonly Told[] {
  return all.toSorted((a, b) => b.block - a.block || b.minedAt - a.minedAt || b.nonce - a.nonce)
}

/** Reads the place of a page: the block above the next one; undefined at the beginning, or when it is none. */
export function readBefore(cursor: string | undefined): number | undefined {
  return cursor !== undefined && /^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined
}
