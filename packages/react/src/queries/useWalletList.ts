import { getWallets } from '@latchkey/core'
import type { WalletListPage, WalletListQuery } from '@latchkey/protocol'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { queryClientOf } from './queryClient.ts'
import { useHasActed } from './useHasActed.ts'

/** Returns a page of the wallet list. It is requested once per visit, and not before the user acts. */
export function useWalletList(query: WalletListQuery): UseQueryResult<WalletListPage> {
  const latchkey = useLatchkey()
  const enabled = useHasActed()
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
