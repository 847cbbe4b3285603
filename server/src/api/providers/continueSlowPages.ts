import type { Hex } from '../../indexer/block.ts'
import type { BlockRange } from '../../indexer/requested/createLogRequests.ts'
import {
  SourceBusyError,
  type FoundTransactions,
  type TransactionFinder,
} from '../../indexer/requested/transactionFinder.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { errorMessage } from '../../kit/runtime/errorMessage.ts'
import { pause } from '../../kit/runtime/pause.ts'

/** Times in milliseconds. */
export type SlowPageLimits = {
  /** The time for which new blocks may wait for a page. */
  waitMs: number
  /** The time that a page may take in total. */
  budgetMs: number
}

/** The time for which a source is not used that was slow and then failed. */
const suspensionMs = 30_000
/** Pages that are loaded at the same time while the index continues. */
const maxPages = 8
/** A page that is not requested again after this time is discarded, for example because its address was deleted. */
const keptMs = 60_000

type Page = {
  result: Promise<{ found: FoundTransactions } | { reason: string }>
  isSlow: boolean
  loadedAt: number | undefined
}

/**
 * Lets a slow source, such as a provider with a large address, finish a page while new blocks are indexed. Only the first
 * request for a page waits. Then it rejects with SourceBusyError, until a later request gets the page.
 */
export function continueSlowPages(
  finder: TransactionFinder,
  { clock, waitMs, budgetMs }: SlowPageLimits & { clock: Clock },
): TransactionFinder {
  const pages = new Map<string, Page>()
  let suspendedUntil = 0

  function load(address: Hex, range: BlockRange): Page {
    const loading = finder.find(address, range).then(
      (found) => ({ found }),
      (error: unknown) => ({ reason: errorMessage(error) }),
    )
    const result = limitTime(loading, budgetMs).then(
      (loaded) => loaded ?? { reason: 'The providers did not respond in time.' },
    )
    const page: Page = { result, isSlow: false, loadedAt: undefined }
    void result.then(() => (page.loadedAt = clock.now()))
    return page
  }

  function discardOld(): void {
    for (const [key, { loadedAt }] of pages) if (clock.now() - (loadedAt ?? clock.now()) > keptMs) pages.delete(key)
  }

  return {
    async find(address, range) {
      if (clock.now() < suspendedUntil) throw new Error('The providers were too slow recently.')
      discardOld()
      const key = `${address}/${range.from}/${range.to}`
      const isBusy = [...pages.values()].some(({ isSlow, loadedAt }) => isSlow && loadedAt === undefined)
      if (!pages.has(key) && pages.size >= maxPages) throw new SourceBusyError()
      const page = pages.get(key) ?? load(address, range)
      pages.set(key, page)
      // While the source is known to be slow, new blocks don't wait for further pages.
      const loaded = await limitTime(page.result, isBusy ? 0 : waitMs)
      if (loaded === undefined) {
        page.isSlow = true
        throw new SourceBusyError()
      }
      pages.delete(key)
      if ('found' in loaded) return loaded.found
      if (page.isSlow) suspendedUntil = clock.now() + suspensionMs
      throw new Error(loaded.reason)
    },
  }
}

/** Returns undefined if the result takes longer. */
async function limitTime<result>(result: Promise<result>, milliseconds: number): Promise<result | undefined> {
  const finished = new AbortController()
  const late = pause(milliseconds, finished.signal).then(() => undefined)
  try {
    return await Promise.race([result, late])
  } finally {
    finished.abort()
  }
}
