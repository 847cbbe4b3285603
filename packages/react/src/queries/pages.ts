import type { QueryKey, UseInfiniteQueryResult, InfiniteData } from '@tanstack/react-query'

/** A paginated list. */
export type Pages<entry> = {
  /** All loaded entries. Empty after a failure [R4.4.6]. */
  data: readonly entry[]
  /** The number of loaded pages. A page may contain no visible entry. */
  pages: number
  status: 'pending' | 'error' | 'success'
  /** The reason of a failure, or null. */
  error: Error | null
  /** True while a page is loading. */
  isFetching: boolean
  hasMore: boolean
  /** Loads the next page. Does nothing while a page is loading. */
  more(): void
  /** Loads all loaded pages again. */
  refetch(): Promise<unknown>
  /** Starts again with the first page. */
  retry(): void
}

/** A page of the server. */
export type Page<entry> = { readonly data: readonly entry[]; readonly next: string | null }

/** The pagination options of a query. */
export const cursors: {
  initialPageParam: undefined
  getNextPageParam(page: Page<unknown>): string | undefined
} = {
  initialPageParam: undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
}

/** Returns the query key of a paginated list of an account on a network. */
export function pagesKey(kind: 'history' | 'nfts', holder: readonly string[]): QueryKey {
  return [kind, ...holder]
}

/** Converts a query to a paginated list. After a failure, the list is empty. */
export function toPages<entry extends { readonly id: string }>(
  {
    data,
    status,
    error,
    hasNextPage,
    isFetching,
    fetchNextPage,
    refetch,
  }: UseInfiniteQueryResult<InfiniteData<Page<entry>>>,
  reset: () => void,
): Pages<entry> {
  const pages = status === 'success' ? data.pages : []
  const entries = pages.flatMap((page) => page.data)
  return {
    // If the list changes between two pages, an entry may repeat.
    data: [...new Map(entries.map((entry) => [entry.id, entry])).values()],
    pages: pages.length,
    status: status === 'error' && isFetching ? 'pending' : status,
    error,
    isFetching,
    hasMore: status === 'success' && hasNextPage,
    more: () => void fetchNextPage({ cancelRefetch: false }),
    refetch,
    retry: reset,
  }
}
