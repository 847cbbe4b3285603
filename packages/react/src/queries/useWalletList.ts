import { getWallets } from '@latchkey/core'
import type { WalletListPage, WalletListQuery } from '@latchkey/protocol'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { queryClientOf } from './queryClient.ts'
import { useActed } from './useActed.ts'

/** One page of the server's wallet list; asked for once per visit of the site, and not before the visitor acts. */
export function useWalletList(query: WalletListQuery): UseQueryResult<WalletListPage> {
  const latchkey = useLatchkey()
  const enabled = useActed()
  return useQuery(
    {
      queryKey: ['wallets', query],
      queryFn: () => getWallets(latchkey, query),
      enabled,
      staleTime: Infinity,
    },
    queryClientOf(latchkey),
  )
}
