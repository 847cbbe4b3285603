import type { FastifyBaseLogger } from 'fastify'
import type { ChainRpc } from '../kit/chain/chainRpc.ts'
import { getTouchedAddresses, type Block, type Hex } from './block.ts'
import { InvalidBlockError, parseBlock } from './parseBlock.ts'
import type { IndexStore, IndexPosition } from './indexStore.ts'

export type FollowChainDependencies = {
  caip: string
  rpc: ChainRpc
  store: IndexStore
  log: FastifyBaseLogger
  /** The first block to index on a new chain. */
  first: number
  /** Called with the addresses that new blocks concern, or with nothing after a reorg, which may concern any address. */
  changed(concerned: readonly Hex[] | undefined): void
  blocksPerFetch?: number
}

/** Keeps the index of one chain up to date. */
export type ChainFollower = {
  /**
   * Indexes the blocks up to the current head of the chain.
   *
   * @returns the head of the chain and the head of the index
   */
  catchUp(signal: AbortSignal): Promise<{ target: number; head: number }>
}

const defaultBlocksPerFetch = 40

/** Creates the follower of a chain. It indexes blocks in order, without gaps, and rewinds after a reorg. */
export function followChain(dependencies: FollowChainDependencies): ChainFollower {
  const { caip, rpc, store, first, blocksPerFetch = defaultBlocksPerFetch } = dependencies
  return {
    async catchUp(signal) {
      const latest = await getLatestBlock(rpc)
      // Read again each time, because another process may have indexed blocks.
      let position = await store.open(caip, first)
      const target = latest.number
      if (target <= position.head) return { target, head: await verifyHead(dependencies, position, latest) }
      const getEnd = (from: number): number => Math.min(from + blocksPerFetch - 1, target)
      let ahead: { from: number; blocks: PendingBlocks } | undefined
      while (position.head < target && !signal.aborted) {
        const from = position.head + 1
        const to = getEnd(from)
        const blocks = ahead?.from === from ? ahead.blocks : fetchBlocks(rpc, from, to)
        // The next blocks are fetched while these are written.
        const next = to + 1
        ahead = to < target ? { from: next, blocks: ignoreRejection(fetchBlocks(rpc, next, getEnd(next))) } : undefined
        position = await indexBlocks(dependencies, position, { to, target, blocks })
      }
      return { target, head: position.head }
    },
  }
}

async function fetchBlocks(rpc: ChainRpc, from: number, to: number): Promise<readonly Block[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const results = await rpc.batch(
    numbers.flatMap((number) => {
      const quantity = `0x${number.toString(16)}`
      return [
        ['eth_getBlockByNumber', [quantity, true]],
        ['eth_getBlockReceipts', [quantity]],
      ] as const
    }),
  )
  return numbers.map((number, index) => parseBlock(number, results[2 * index], results[2 * index + 1]))
}

/** Stores blocks, up to the first one that does not follow its predecessor. */
async function indexBlocks(
  dependencies: FollowChainDependencies,
  position: IndexPosition,
  { to, target, blocks: pending }: { to: number; target: number; blocks: PendingBlocks },
): Promise<IndexPosition> {
  const { store, changed } = dependencies
  const blocks = await pending
  const broken = await findFirstBreak(store, position, blocks)
  if (broken === 0) return rewind(dependencies, position, await findCommonBlock(dependencies, position))
  const consistent = broken === -1 ? blocks : blocks.slice(0, broken)
  await store.add(position.chain, consistent, target)
  const touched = consistent.flatMap(({ transactions }) =>
    transactions.flatMap((each) => [...getTouchedAddresses(each)]),
  )
  changed([...new Set(touched)])
  return { ...position, head: broken === -1 ? to : position.head + consistent.length }
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
  await store.rewind(position.chain, to)
  changed(undefined)
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
