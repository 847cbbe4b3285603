import { getWallets, walletsPerPage, walletsPerSearch } from '@latchkey/core'
import type { WalletListEntry } from '@latchkey/protocol'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { queryClientOf } from './queryClient.ts'

/** The wallet list as far as it was scrolled, or what a search found. */
export type WalletPages = {
  wallets: readonly WalletListEntry[]
  /** How many there are, shown or not. */
  count: number
  status: 'pending' | 'error' | 'success'
  hasMore: boolean
  /** Does nothing while a page is on its way. */
  more(): void
  retry(): void
}

/** Pages of the server's wallet list, one after the other [R9.2.2]. */
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
    // A list that changes between two pages may repeat a wallet.
    wallets: [...new Map(wallets.map((wallet) => [wallet.id, wallet])).values()],
    count: data?.pages[0]?.count ?? 0,
    status,
    hasMore: hasNextPage,
    more: () => void fetchNextPage({ cancelRefetch: false }),
    retry: () => void refetch(),
  }
}
