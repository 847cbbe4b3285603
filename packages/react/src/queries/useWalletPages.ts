import { getWallets } from '@latchkey/core'
import { walletsPerPage, walletsPerSearch } from '@latchkey/core/internal'
import type { WalletListEntry } from '@latchkey/protocol'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { queryClientOf } from './queryClient.ts'

/** The loaded pages of the wallet list, or the results of a search. */
export type WalletPages = {
  wallets: readonly WalletListEntry[]
  /** The total number of wallets. */
  count: number
  status: 'pending' | 'error' | 'success'
  hasMore: boolean
  /** Loads the next page. Does nothing while a page is loading. */
  more(): void
  retry(): void
}

/** Returns the wallet list page by page [R9.2.2]. */
export function useWalletPages(search: string): WalletPages {
  const latchkey = useLatchkey()
  const searched = search === '' ? undefined : search
  const perPage = searched === undefined ? walletsPerPage : walletsPerSearch
  const { data, status, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    {
      queryKey: ['wallets', 'pages', searched],
      queryFn: ({ pageParam }) => getWallets(latchkey, { page: pageParam, search: searched }),
      initialPageParam: 1,
      getNextPageParam: ({ count }, pages) => (pages.length * perPage < count ? pages.length + 1 : undefined),
      staleTime: Infinity,
    },
    queryClientOf(latchkey),
  )
  const wallets = data?.pages.flatMap((page) => page.data) ?? []
  return {
    // If the list changes between two pages, a wallet may repeat.
    wallets: [...new Map(wallets.map((wallet) => [wallet.id, wallet])).values()],
    count: data?.pages[0]?.count ?? 0,
    status,
    hasMore: hasNextPage,
    more: () => void fetchNextPage({ cancelRefetch: false }),
    retry: () => void refetch(),
  }
}
