import type { FastifyBaseLogger } from 'fastify'
import type { ChainRpc } from '../kit/chain/chainRpc.ts'
import type { Block, Hex } from './block.ts'
import { getConcernedAddresses } from './encodeBlocks.ts'
import type { HistoryStore } from './history/historyStore.ts'
import { LeaseLostError, type IndexPosition, type IndexStore } from './indexStore.ts'
import { InvalidBlockError } from './parseBlock.ts'

export type IndexBlocksDependencies = {
  caip: string
  rpc: ChainRpc
  store: IndexStore
  history: HistoryStore
  log: FastifyBaseLogger
  /** The first block to index on a new chain. */
  first: number
  /** The addresses whose received tokens are stored; all by default. */
  holders?: ReadonlySet<Hex>
  /**
   * Called with the addresses that new blocks concern, or with `undefined` after a reorg, which may concern any address,
   * and with the last indexed block.
   */
  changed(concerned: readonly Hex[] | undefined, head: number): void
}

/** Stores blocks, up to the first one that does not follow its predecessor. */
export async function indexBlocks(
  dependencies: IndexBlocksDependencies,
  position: IndexPosition,
  { target, blocks }: { target: number; blocks: readonly Block[] },
): Promise<IndexPosition> {
  const { store, history, changed, holders } = dependencies
  const broken = await findFirstBreak(store, position, blocks)
  if (broken === 0) return rewind(dependencies, position, await findCommonBlock(dependencies, position))
  const consistent = broken === -1 ? blocks : blocks.slice(0, broken)
  const isStored = await history.add(position, consistent, { target, holders })
  if (!isStored) return reopenIndex(dependencies, position)
  const head = position.head + consistent.length
  changed(getConcernedAddresses(consistent), head)
  return { ...position, head, hash: consistent.at(-1)?.hash ?? position.hash }
}

/** Another writer moved the head. Continues there, unless this process lost its lease. */
async function reopenIndex(
  { caip, store, first }: IndexBlocksDependencies,
  { term }: IndexPosition,
): Promise<IndexPosition> {
  const position = await store.open(caip, first)
  if (position.term !== term) throw new LeaseLostError()
  return position
}

/** Finds the first block whose parent is not the block before it. The chain was reorganised in between. */
async function findFirstBreak(
  store: IndexStore,
  { chain, head, first, hash }: IndexPosition,
  blocks: readonly Block[],
): Promise<number> {
  const before = head < first ? undefined : (hash ?? (await store.hashAt(chain, head)))
  return blocks.findIndex(({ parent }, index) => {
    const expected = index === 0 ? before : blocks[index - 1]?.hash
    return expected !== undefined && parent !== expected
  })
}

/** Looks back in growing steps for a block that is the same in the index and on the chain. */
async function findCommonBlock(
  { rpc, store }: IndexBlocksDependencies,
  { chain, head, first }: IndexPosition,
): Promise<number> {
  for (let step = 1, at = head - 1; at >= first; step *= 2) {
    // Of skipped blocks, only those with transactions of an address are known.
    const known = await store.findKnown(chain, at)
    if (known === undefined) return at
    const [block] = await rpc.batch([['eth_getBlockByNumber', [`0x${known.block.toString(16)}`, false]]])
    const hash = typeof block === 'object' && block !== null ? Reflect.get(block, 'hash') : undefined
    if (typeof hash === 'string' && hash.toLowerCase() === known.hash) return known.block
    at = known.block - step
  }
  return first - 1
}

async function rewind(
  { caip, history, log, changed }: IndexBlocksDependencies,
  position: IndexPosition,
  to: number,
): Promise<IndexPosition> {
  log.warn({ chain: caip, from: position.head, to }, 'the chain was reorganised')
  const isStored = await history.rewind(position, to)
  if (!isStored) throw new LeaseLostError()
  changed(undefined, to)
  return { ...position, head: to, hash: undefined }
}

/** Rewinds if the chain has another block at its head. A node that lags behind changes nothing. */
export async function verifyHead(
  dependencies: IndexBlocksDependencies,
  position: IndexPosition,
  { number, hash }: Latest,
): Promise<number> {
  const known = await findHash(dependencies.store, position, number)
  // The hashes of skipped blocks are unknown.
  if (known === undefined || known === hash) return position.head
  const common = await findCommonBlock(dependencies, { ...position, head: number })
  return (await rewind(dependencies, position, common)).head
}

async function findHash(
  store: IndexStore,
  { chain, first, head, hash }: IndexPosition,
  number: number,
): Promise<Hex | undefined> {
  if (number < first) return undefined
  return number === head && hash !== undefined ? hash : store.hashAt(chain, number)
}

/** The head of a chain, as a node reports it. */
export type Latest = { number: number; hash: Hex }

/**
 * Gets the head of the chain.
 *
 * @throws InvalidBlockError if the node does not return a block
 */
export async function getLatestBlock(rpc: ChainRpc): Promise<Latest> {
  const [block] = await rpc.batch([['eth_getBlockByNumber', ['latest', false]]])
  const { number, hash } = typeof block === 'object' && block !== null ? (block as Record<string, unknown>) : {}
  const head = typeof number === 'string' && /^0x[0-9a-f]{1,13}$/i.test(number) ? Number(number) : Number.NaN
  const id = typeof hash === 'string' ? hash.toLowerCase() : ''
  if (!Number.isSafeInteger(head) || !isBlockHash(id))
    throw new InvalidBlockError('The node did not return the head of the chain.')
  return { number: head, hash: id }
}

function isBlockHash(text: string): text is Hex {
  return /^0x[0-9a-f]{64}$/.test(text)
}
