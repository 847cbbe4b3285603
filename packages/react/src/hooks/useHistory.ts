import { getHistory } from '@latchkey/core'
import type { HistoryItem } from '@latchkey/protocol'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { holderOf, holdingsMilliseconds } from '../queries/balanceQuery.ts'
import { toPages, cursors, pagesKey, type Pages } from '../queries/pages.ts'
import { queryClientOf } from '../queries/queryClient.ts'
import { useAccount } from './useAccount.ts'

/**
 * Returns the transactions of the connected account on its network, newest first and page by page, without spam. If a
 * page cannot be loaded, the list is empty, and `retry` starts again with the first page [R4.4.6].
 *
 * @example const { data, hasMore, more } = useHistory()
 */
export function useHistory(): Pages<HistoryItem> {
  const latchkey = useLatchkey()
  const account = useAccount()
  const client = queryClientOf(latchkey)
  const queryKey = pagesKey('history', holderOf(account))
  const query = useInfiniteQuery(
    {
      queryKey,
      queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
        getHistory(latchkey, { cursor: pageParam, namespace: account.network?.chainNamespace }),
      ...cursors,
      enabled: account.status === 'connected' && account.supported,
      staleTime: holdingsMilliseconds,
    },
    client,
  )
  return toPages(query, () => void client.resetQueries({ queryKey }))
}
