import type { FastifyBaseLogger } from 'fastify'
import type { ChainRpc } from '../../kit/chain/chainRpc.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Block, Hex } from '../block.ts'
import { LeaseLostError } from '../indexStore.ts'
import type { AddressGap, HistoryStore, Writer } from '../history/historyStore.ts'
import type { AddressStore } from './createAddressStore.ts'
import { readTransactions } from './readTransactions.ts'
import { keepNewest, SourceBusyError, type TransactionFinder } from './transactionFinder.ts'

export type FillGapsDependencies = {
  rpc: ChainRpc
  store: AddressStore
  history: HistoryStore
  /** The sources, the best first. The next one is used if one does not respond, or names what the node does not have. */
  finders: readonly TransactionFinder[]
  clock: Clock
  log: FastifyBaseLogger
  caip: string
  /** The most transactions of an address that are indexed backwards. */
  maxTransactions: number
  /** Called with each address that got transactions. */
  changed(addresses: readonly Hex[]): void
}

/** Addresses whose gaps are filled at the same time. */
const concurrentGaps = 4
const transactionsPerPage = 50
const retryAfterMs = 60_000
/** Time after which a page is requested again that its source still loads. */
const busyRetryMs = 2_000

/**
 * Fills gaps of addresses, a page of each in turn, until the time is over. The first page of a new address precedes the
 * further pages of the others.
 *
 * @returns true if there are more gaps
 */
export async function fillGaps(
  dependencies: FillGapsDependencies,
  writer: Writer,
  { until, signal }: { until: number; signal: AbortSignal },
): Promise<boolean> {
  const { store, clock, maxTransactions } = dependencies
  for (;;) {
    const now = clock.now()
    const gaps = await store.listGaps(writer.chain, { now, maxTransactions, limit: concurrentGaps })
    if (gaps.length === 0) return false
    if (now >= until || signal.aborted) return true
    const filled = await Promise.all(gaps.map((gap) => fillPage(dependencies, writer, gap)))
    if (filled.includes('lost')) throw new LeaseLostError()
  }
}

async function fillPage(
  dependencies: FillGapsDependencies,
  writer: Writer,
  gap: AddressGap,
): Promise<'filled' | 'postponed' | 'lost'> {
  const { store, history, clock, log, caip, changed } = dependencies
  const { address } = gap
  try {
    const isStored = await history.addFound(writer, gap, await readPage(dependencies, gap))
    if (!isStored) return 'lost'
    changed([address])
    return 'filled'
  } catch (error) {
    if (error instanceof SourceBusyError) {
      await store.postpone(writer, address, clock.now() + busyRetryMs)
      return 'postponed'
    }
    log.warn({ chain: caip, reason: String(error) }, 'the history of an address cannot be indexed now')
    await store.postpone(writer, address, clock.now() + retryAfterMs)
    return 'postponed'
  }
}

type Page = { blocks: readonly Block[]; below: number }

async function readPage({ rpc, finders }: FillGapsDependencies, gap: AddressGap): Promise<Page> {
  const errors: unknown[] = []
  for (const finder of finders) {
    try {
      const found = keepNewest(await finder.find(gap.address, gap), transactionsPerPage)
      return { blocks: await readTransactions(rpc, gap.address, found.references), below: found.from }
    } catch (error) {
      // The next source may know fewer transactions, and a filled gap is not filled again.
      if (error instanceof SourceBusyError) throw error
      errors.push(error)
    }
  }
  throw new AggregateError(errors, `No source has the transactions: ${errors.map(String).join(' ')}`)
}
