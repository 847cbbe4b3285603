import { createBlockFetcher, requestWholeBlocks, type BlockFetcher } from './createBlockFetcher.ts'
import { getLatestBlock, indexBlocks, verifyHead, type IndexBlocksDependencies } from './indexBlocks.ts'
import type { IndexPosition } from './indexStore.ts'
import { createReadAhead } from './readAhead.ts'

export type FollowChainDependencies = IndexBlocksDependencies & {
  /** Called after each stored batch. */
  progressed?(progress: { target: number; head: number }): void
  maxBlocksPerFetch?: number
}

/** Keeps the index of one chain up to date. */
export type ChainIndexer = {
  /**
   * Indexes the blocks up to the current head of the chain.
   *
   * @param term the term of the lease under which it writes
   * @returns the head of the chain and the head of the index
   * @throws LeaseLostError if another process indexes the chain
   */
  catchUp(signal: AbortSignal, term?: number): Promise<{ target: number; head: number }>
}

/** Creates the indexer of a chain. It indexes blocks in order, without gaps, and rewinds after a reorg. */
export function followChain(dependencies: FollowChainDependencies): ChainIndexer {
  const { rpc, store, caip, first, maxBlocksPerFetch, progressed = () => undefined } = dependencies
  const fetcher = createBlockFetcher({ request: requestWholeBlocks(rpc), maxBlocks: maxBlocksPerFetch })
  return {
    async catchUp(signal, term = 0) {
      const latest = await getLatestBlock(rpc)
      // Read again each time, because another process may have indexed blocks.
      const position = { ...(await store.open(caip, first)), term }
      const target = latest.number
      progressed({ target, head: position.head })
      if (target <= position.head) return { target, head: await verifyHead(dependencies, position, latest) }
      const head = await indexUntil({ ...dependencies, progressed, fetcher }, { position, target, signal })
      return { target, head }
    },
  }
}

type IndexRun = { position: IndexPosition; target: number; signal: AbortSignal }
type IndexRunDependencies = FollowChainDependencies & {
  fetcher: BlockFetcher
  progressed(progress: { target: number; head: number }): void
}

/** Indexes blocks until the target or the abort. Each batch is committed before the next one is written. */
async function indexUntil(dependencies: IndexRunDependencies, { position, target, signal }: IndexRun): Promise<number> {
  const { fetcher, progressed } = dependencies
  // The next blocks are downloaded while these are written.
  const readAhead = createReadAhead(fetcher, target)
  let at = position
  while (at.head < target && !signal.aborted) {
    const blocks = await readAhead.next(at.head + 1)
    at = await indexBlocks(dependencies, at, { target, blocks })
    progressed({ target, head: at.head })
  }
  return at.head
}
