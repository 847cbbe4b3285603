import { getHistory } from '@latchkey/core'
import type { HistoryItem } from '@latchkey/protocol'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { holderOf, holdingsMilliseconds } from '../queries/balanceQuery.ts'
import { asPages, cursors, pagesKey, type Pages } from '../queries/pagesQuery.ts'
import { queryClientOf } from '../queries/queryClient.ts'
import { useAccount } from './useAccount.ts'

/**
 * What the connected account did on the network it is on, newest first and page by page, without what is nothing but spam.
 * When a page cannot be read the list is empty, and begins anew with `retry` [R4.4.6].
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
  return asPages(query, () => void client.resetQueries({ queryKey }))
}
