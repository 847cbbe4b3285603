import type { Hex } from '../block.ts'
import type { BlockRange, TransactionReference } from './createLogRequests.ts'

/** The newest transactions of an address in a range. */
export type FoundTransactions = {
  references: readonly TransactionReference[]
  /** All transactions of the source from this block on are found. */
  from: number
}

/** A source still loads a page. The same request gets it later. */
export class SourceBusyError extends Error {
  override readonly name: string = 'SourceBusyError'
  constructor() {
    super('The source still loads this page.')
  }
}

/**
 * A source that knows which transactions concern an address: a node or a provider. What they contain is read from the
 * node, so that a source can leave out transactions but not invent them. Every implementation passes
 * `describeTransactionFinder`.
 */
export type TransactionFinder = {
  /**
   * Finds the newest transactions of an address in a range of blocks.
   *
   * @returns transactions in any order, from `from` to the end of the range; `from` is in the range
   * @throws Error if the source does not respond; SourceBusyError if it needs more time
   */
  find(address: Hex, range: BlockRange): Promise<FoundTransactions>
}

/**
 * Joins sources that know different transactions, such as logs and traces. The result is complete where all of them are.
 */
export function joinFinders(finders: readonly TransactionFinder[]): TransactionFinder {
  return {
    async find(address, range) {
      const found = await Promise.all(finders.map((each) => each.find(address, range)))
      const from = Math.max(...found.map((each) => each.from))
      return {
        references: mergeReferences(
          found.flatMap(({ references }) => references),
          from,
        ),
        from,
      }
    },
  }
}

/** Maximum number of blocks by which a provider lags behind the nodes. */
const providerLag = 1_000

/** Adds the newest blocks of the nodes to a provider, which may be behind them. */
export function coverLag(provider: TransactionFinder, nodes: TransactionFinder): TransactionFinder {
  return {
    async find(address, { from, to }) {
      const found = await provider.find(address, { from, to })
      const recent = await findAll(nodes, address, { from: Math.max(found.from, to - providerLag), to })
      return { references: mergeReferences([...found.references, ...recent], found.from), from: found.from }
    },
  }
}

async function findAll(
  finder: TransactionFinder,
  address: Hex,
  range: BlockRange,
): Promise<readonly TransactionReference[]> {
  const { references, from } = await finder.find(address, range)
  if (from <= range.from) return references
  return [...references, ...(await findAll(finder, address, { from: range.from, to: from - 1 }))]
}

/** Keeps each transaction from a block on once. */
export function mergeReferences(
  references: readonly TransactionReference[],
  from: number,
): readonly TransactionReference[] {
  const byHash = new Map(references.map((each) => [each.hash, each]))
  return [...byHash.values()].filter(({ block }) => block >= from)
}

/** Cuts what a source found to about `limit` transactions, the newest, at the end of a block. */
export function keepNewest({ references, from }: FoundTransactions, limit: number): FoundTransactions {
  if (references.length <= limit) return { references, from }
  const newest = references.toSorted((a, b) => b.block - a.block)
  const edge = newest[limit - 1]?.block ?? from
  return { references: newest.filter(({ block }) => block >= edge), from: edge }
}
