import type { ProviderTransaction } from './providerTransaction.ts'

/** The part of a transaction that merging needs. `hash` identifies it. */
type Listed = { hash: string; block: number; minedAt: number; nonce: number; transfers: readonly unknown[] }

/** A list from a provider, newest first, and whether the provider has more. */
export type BlockList<transaction extends Listed = ProviderTransaction> = {
  transactions: readonly transaction[]
  more: boolean
}

/** A page merged from several lists. `before` is the block that the next page starts below. */
export type BlockPage<transaction extends Listed = ProviderTransaction> = {
  transactions: readonly transaction[]
  before: number | null
}

/**
 * Merges lists that contain the same transactions. Below the end of a list that has more, transactions may be missing, so
 * a page ends at a block that is complete in every list. The next page starts below that block.
 *
 * @param size the minimum length of a page; the page continues to the end of the block
 */
export function mergeBlockLists<transaction extends Listed>(
  lists: readonly BlockList<transaction>[],
  size: number,
): BlockPage<transaction> {
  const joined = sortNewestFirst(mergeByHash(lists.flatMap(({ transactions }) => transactions)))
  const edge = Math.max(...lists.map(({ transactions, more }) => (more ? (transactions.at(-1)?.block ?? -1) : -1)))
  const whole = joined.filter(({ block }) => block > edge)
  // A single block may exceed a list. The listed part of it is all that is available.
  const usable = whole.length > 0 ? whole : joined.filter(({ block }) => block >= edge)
  const last = usable[Math.min(size, usable.length) - 1]
  if (last === undefined) return { transactions: [], before: null }
  const transactions = usable.filter(({ block }) => block >= last.block)
  const isEnd = transactions.length === joined.length && lists.every(({ more }) => !more)
  return { transactions, before: isEnd ? null : last.block }
}

/** Merges entries of the same transaction, with all their transfers. */
function mergeByHash<transaction extends Listed>(all: readonly transaction[]): readonly transaction[] {
  const byHash = new Map<string, transaction>()
  for (const each of all) {
    const known = byHash.get(each.hash)
    // Lists of transactions come first, because they contain more than lists of transfers.
    byHash.set(each.hash, known === undefined ? each : { ...known, transfers: [...known.transfers, ...each.transfers] })
  }
  return [...byHash.values()]
}

function sortNewestFirst<transaction extends Listed>(all: readonly transaction[]): readonly transaction[] {
  return all.toSorted((a, b) => b.block - a.block || b.minedAt - a.minedAt || b.nonce - a.nonce)
}

/** Parses the block that a page starts below. Returns `undefined` for the first page. */
export function parseBlockCursor(cursor: string | undefined): number | undefined {
  return cursor !== undefined && /^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined
}
