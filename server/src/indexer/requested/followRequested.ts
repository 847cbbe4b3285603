import type { Block, Hex } from '../block.ts'
import type { ChainIndexer } from '../followChain.ts'
import { createBlockFetcher, type BlockFetcher } from '../createBlockFetcher.ts'
import { getLatestBlock, indexBlocks, verifyHead, type IndexBlocksDependencies, type Latest } from '../indexBlocks.ts'
import { LeaseLostError, type IndexPosition } from '../indexStore.ts'
import { InvalidBlockError } from '../parseBlock.ts'
import { createReadAhead } from '../readAhead.ts'
import type { ChainRpc } from '../../kit/chain/chainRpc.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { getField } from '../../kit/runtime/getField.ts'
import type { AddressStore } from './createAddressStore.ts'
import { toQuantity } from './createLogRequests.ts'
import { fillGaps } from './fillGaps.ts'
import type { FollowedAddresses } from './followedAddresses.ts'
import type { AddressMaintenance } from './maintainAddresses.ts'
import { requestConcerningBlocks } from './requestConcerningBlocks.ts'
import type { TransactionFinder } from './transactionFinder.ts'

export type FollowRequestedDependencies = Omit<IndexBlocksDependencies, 'holders'> & {
  addresses: AddressStore
  followed: FollowedAddresses
  maintenance: AddressMaintenance
  finders: readonly TransactionFinder[]
  clock: Clock
  /** The most transactions of an address that are indexed backwards. */
  maxTransactions: number
  /** The most blocks that are indexed in order. If the index is further behind, it continues at the head of the chain. */
  maxLag?: number
  /** Called after each stored batch. */
  progressed(progress: { target: number; head: number }): void
  /** Called if there is more work, so that the next round follows at once. */
  hasMore(): void
}

const defaultMaxLag = 1_000
/** Time for which the chain must be far below the index before the index goes back. */
const recoveryMs = 600_000
/** Time for which gaps are filled before the head of the chain is read again. */
const fillMs = 1_000

/**
 * Creates the indexer of a chain of which only transactions of requested addresses are indexed: new blocks first, then
 * the gaps of addresses, from the newest block to the oldest.
 */
export function followRequested(dependencies: FollowRequestedDependencies): ChainIndexer {
  const { rpc, store, caip, first, clock, followed, maintenance, progressed, hasMore } = dependencies
  const fetcher = createBlockFetcher({ request: requestConcerningBlocks(rpc, followed.all) })
  const recoverHead = createHeadRecovery(dependencies)
  return {
    async catchUp(signal, term = 0) {
      const latest = await getLatestBlock(rpc)
      const opened = await recoverHead({ ...(await store.open(caip, first)), term }, latest)
      const target = latest.number
      progressed({ target, head: opened.head })
      await followed.refresh(opened)
      const start = await jumpToHead(dependencies, opened, latest)
      const indexing = { ...dependencies, holders: followed.all }
      const head =
        target <= start.head
          ? await verifyHead(indexing, start, latest)
          : await indexUntil({ ...indexing, fetcher }, start, { target, signal })
      progressed({ target, head })
      const isUnfinished = await fillGaps(fillDependencies(dependencies, head), start, {
        until: clock.now() + fillMs,
        signal,
      })
      if (isUnfinished) hasMore()
      await maintenance.run({ ...start, head })
      return { target, head }
    },
  }
}

/** Addresses that got transactions are reported with the head, as for new blocks. */
function fillDependencies(dependencies: FollowRequestedDependencies, head: number) {
  const { addresses: store, changed } = dependencies
  return { ...dependencies, store, changed: (concerned: Parameters<typeof changed>[0]) => changed(concerned, head) }
}

/** Skips blocks that no address needs, and blocks of a long interruption, which the gaps of the addresses then contain. */
async function jumpToHead(
  { addresses, followed, changed, rpc, maxLag = defaultMaxLag }: FollowRequestedDependencies,
  position: IndexPosition,
  latest: Latest,
): Promise<IndexPosition> {
  const target = latest.number
  const isNear = target - position.head <= maxLag
  if ((followed.all.size > 0 && isNear) || target <= position.head) return position
  if (!isNear) await assertHasBlock(rpc, latest)
  if (!(await addresses.jump(position, { from: position.head, to: target, hash: latest.hash })))
    throw new LeaseLostError()
  changed([], target)
  return { ...position, head: target, hash: latest.hash }
}

/** A single wrong response must not move the index to a block that does not exist. */
async function assertHasBlock(rpc: ChainRpc, { number, hash }: Latest): Promise<void> {
  const [block] = await rpc.batch([['eth_getBlockByNumber', [toQuantity(number), false]]])
  const found = getField(block, 'hash')
  if (typeof found !== 'string' || found.toLowerCase() !== hash)
    throw new InvalidBlockError('The node does not have the block that it reported as head.')
}

/**
 * Creates the recovery of an index whose head is far above the chain: nodes claimed a wrong head, or the chain was reset.
 * Nodes that lag behind recover by themselves, so that it waits.
 */
function createHeadRecovery({
  clock,
  history,
  changed,
  log,
  caip,
  maxLag = defaultMaxLag,
}: FollowRequestedDependencies) {
  let aboveSince: number | undefined

  return async (position: IndexPosition, { number }: Latest): Promise<IndexPosition> => {
    if (position.head - number <= maxLag) {
      aboveSince = undefined
      return position
    }
    aboveSince ??= clock.now()
    if (clock.now() - aboveSince < recoveryMs)
      throw new InvalidBlockError(`The index is at block ${position.head}, above the head of the chain, ${number}.`)
    log.warn({ chain: caip, from: position.head, to: number }, 'the index continues at the head of the chain')
    if (!(await history.rewind(position, number))) throw new LeaseLostError()
    changed(undefined, number)
    return { ...position, head: number, hash: undefined }
  }
}

type IndexRunDependencies = FollowRequestedDependencies & { holders: ReadonlySet<Hex>; fetcher: BlockFetcher }

/**
 * Indexes blocks in order, and downloads the next ones in parallel. New addresses are followed between two writes: blocks
 * that were downloaded without them are downloaded again, so that no transaction of theirs is missed.
 */
async function indexUntil(
  dependencies: IndexRunDependencies,
  start: IndexPosition,
  { target, signal }: { target: number; signal: AbortSignal },
): Promise<number> {
  const { fetcher, followed, addresses, progressed } = dependencies
  const readAhead = createReadAhead(fetcher, target)
  let at = start
  while (at.head < target && !signal.aborted) {
    const blocks = await readAhead.next(at.head + 1)
    const next = await indexBlocks(dependencies, at, { target, blocks })
    if (next.head > at.head) await addresses.count(at, listTouched(blocks))
    at = next
    progressed({ target, head: at.head })
    // At the target, the next round begins with it.
    if (at.head < target && (await followed.refresh(at))) readAhead.discard()
  }
  return at.head
}

/** Lists addresses, once per transaction of theirs. */
function listTouched(blocks: readonly Block[]): readonly Hex[] {
  return blocks.flatMap(({ transactions }) => transactions.flatMap(({ touched }) => touched))
}
