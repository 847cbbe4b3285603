import type { FastifyBaseLogger } from 'fastify'
import type { ChainRpc } from '../kit/chain/chainRpc.ts'
import { getTouchedAddresses, type Block, type Hex } from './block.ts'
import { createBlockFetcher, type BlockFetcher } from './createBlockFetcher.ts'
import { InvalidBlockError } from './parseBlock.ts'
import { LeaseLostError, type IndexStore, type IndexPosition } from './indexStore.ts'

export type FollowChainDependencies = {
  caip: string
  rpc: ChainRpc
  store: IndexStore
  log: FastifyBaseLogger
  /** The first block to index on a new chain. */
  first: number
  /**
   * Called with the addresses that new blocks concern, or with `undefined` after a reorg, which may concern any address,
   * and with the last indexed block.
   */
  changed(concerned: readonly Hex[] | undefined, head: number): void
  /** Called after each stored batch. */
  progressed?(progress: { target: number; head: number }): void
  maxBlocksPerFetch?: number
}

/** Keeps the index of one chain up to date. */
export type ChainFollower = {
  /**
   * Indexes the blocks up to the current head of the chain.
   *
   * @param term the term of the lease under which it writes
   * @returns the head of the chain and the head of the index
   * @throws LeaseLostError if another process indexes the chain
   */
  catchUp(signal: AbortSignal, term?: number): Promise<{ target: number; head: number }>
}

/** Creates the follower of a chain. It indexes blocks in order, without gaps, and rewinds after a reorg. */
export function followChain(dependencies: FollowChainDependencies): ChainFollower {
  const { rpc, store, caip, first, maxBlocksPerFetch, progressed = () => undefined } = dependencies
  const fetcher = createBlockFetcher({ rpc, maxBlocks: maxBlocksPerFetch })
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
  let at = position
  let ahead: { from: number; blocks: PendingBlocks } | undefined
  while (at.head < target && !signal.aborted) {
    const from = at.head + 1
    const blocks = await (ahead?.from === from ? ahead.blocks : fetcher.fetch(from, target))
    // The next blocks are fetched while these are written.
    const next = from + blocks.length
    ahead = next <= target ? { from: next, blocks: ignoreRejection(fetcher.fetch(next, target)) } : undefined
    at = await indexBlocks(dependencies, at, { target, blocks })
    progressed({ target, head: at.head })
  }
  return at.head
}

/** Stores blocks, up to the first one that does not follow its predecessor. */
async function indexBlocks(
  dependencies: FollowChainDependencies,
  position: IndexPosition,
  { target, blocks }: { target: number; blocks: readonly Block[] },
): Promise<IndexPosition> {
  const { store, changed } = dependencies
  const broken = await findFirstBreak(store, position, blocks)
  if (broken === 0) return rewind(dependencies, position, await findCommonBlock(dependencies, position))
  const consistent = broken === -1 ? blocks : blocks.slice(0, broken)
  const isStored = await store.add(position, consistent, target)
  if (!isStored) return reopen(dependencies, position)
  const touched = consistent.flatMap(({ transactions }) =>
    transactions.flatMap((each) => [...getTouchedAddresses(each)]),
  )
  const head = position.head + consistent.length
  changed([...new Set(touched)], head)
  return { ...position, head }
}

/** Another writer moved the head. Continues there, unless this process lost its lease. */
async function reopen(
  { caip, store, first }: FollowChainDependencies,
  { term }: IndexPosition,
): Promise<IndexPosition> {
  const position = await store.open(caip, first)
  if (position.term !== term) throw new LeaseLostError()
  return position
}

/** Finds the first block whose parent is not the block before it. The chain was reorganised in between. */
async function findFirstBreak(
  store: IndexStore,
  { chain, head, first }: IndexPosition,
  blocks: readonly Block[],
): Promise<number> {
  const before = head < first ? undefined : await store.hashAt(chain, head)
  return blocks.findIndex(({ parent }, index) => {
    const expected = index === 0 ? before : blocks[index - 1]?.hash
    return expected !== undefined && parent !== expected
  })
}

/** Looks back in growing steps for a block that is the same in the index and on the chain. */
async function findCommonBlock(
  { rpc, store }: FollowChainDependencies,
  { chain, head, first }: IndexPosition,
): Promise<number> {
  for (let step = 1, at = head - 1; at >= first; at -= step, step *= 2) {
    const [block] = await rpc.batch([['eth_getBlockByNumber', [`0x${at.toString(16)}`, false]]])
    const hash = typeof block === 'object' && block !== null ? Reflect.get(block, 'hash') : undefined
    if (typeof hash === 'string' && hash.toLowerCase() === (await store.hashAt(chain, at))) return at
  }
  return first - 1
}

async function rewind(
  { caip, store, log, changed }: FollowChainDependencies,
  position: IndexPosition,
  to: number,
): Promise<IndexPosition> {
  log.warn({ chain: caip, from: position.head, to }, 'the chain was reorganised')
  const isStored = await store.rewind(position, to)
  if (!isStored) throw new LeaseLostError()
  changed(undefined, to)
  return { ...position, head: to }
}

/** Rewinds if the chain has another block at its head. A node that lags behind changes nothing. */
async function verifyHead(
  dependencies: FollowChainDependencies,
  position: IndexPosition,
  { number, hash }: Latest,
): Promise<number> {
  const { store } = dependencies
  if (number < position.first || (await store.hashAt(position.chain, number)) === hash) return position.head
  const common = await findCommonBlock(dependencies, { ...position, head: number })
  return (await rewind(dependencies, position, common)).head
}

type Latest = { number: number; hash: string }

type PendingBlocks = Promise<readonly Block[]>

/** Prevents an unhandled rejection if the blocks are discarded. */
function ignoreRejection(blocks: PendingBlocks): PendingBlocks {
  blocks.catch(() => undefined)
  return blocks
}

async function getLatestBlock(rpc: ChainRpc): Promise<Latest> {
  const [block] = await rpc.batch([['eth_getBlockByNumber', ['latest', false]]])
  const { number, hash } = typeof block === 'object' && block !== null ? (block as Record<string, unknown>) : {}
  const head = typeof number === 'string' && /^0x[0-9a-f]{1,13}$/i.test(number) ? Number(number) : Number.NaN
  if (!Number.isSafeInteger(head) || typeof hash !== 'string')
    throw new InvalidBlockError('The node did not return the head of the chain.')
  return { number: head, hash: hash.toLowerCase() }
}
