import type { QueryKey, UseInfiniteQueryResult, InfiniteData } from '@tanstack/react-query'

/** A list that comes page by page. */
export type Pages<entry> = {
  /** All that was read so far; empty after a failure [R4.4.6]. */
  data: readonly entry[]
  /** How many pages that were. A page may bring nothing that is shown. */
  pages: number
  status: 'pending' | 'error' | 'success'
  hasMore: boolean
  /** Reads the next page; does nothing while one is on its way. */
  more(): void
  /** Reads all anew, from the first page. */
  retry(): void
}

/** A page as the server tells it. */
export type Page<entry> = { readonly data: readonly entry[]; readonly next: string | null }

/** Where a list begins, and where it goes on. */
export const cursors: {
  initialPageParam: undefined
  getNextPageParam(page: Page<unknown>): string | undefined
} = {
  initialPageParam: undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
}

/** The key of a list of an account on a network. */
export function pagesKey(kind: 'history' | 'nfts', holder: readonly string[]): QueryKey {
  return [kind, ...holder]
}

/** What a query of pages tells, without what was read before it failed. */
export function asPages<entry extends { readonly id: string }>(
  { data, status, hasNextPage, isFetching, fetchNextPage }: UseInfiniteQueryResult<InfiniteData<Page<entry>>>,
  reset: () => void,
): Pages<entry> {
  const pages = status === 'success' ? data.pages : []
  const entries = pages.flatMap((page) => page.data)
  return {
    // A list that changes between two pages may repeat an entry.
    data: [...new Map(entries.map((entry) => [entry.id, entry])).values()],
    pages: pages.length,
    status: status === 'error' && isFetching ? 'pending' : status,
    hasMore: status === 'success' && hasNextPage,
    more: () => void fetchNextPage({ cancelRefetch: false }),
    retry: reset,
  }
}
