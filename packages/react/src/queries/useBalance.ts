import { getBalance, type Balance } from '@latchkey/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { holdingsMilliseconds, queryClientOf } from './queryClient.ts'

/**
 * The native balance of the connected account on the network it is on, from the chain itself; good for 30 seconds.
 *
 * @example const { data } = useBalance()
 */
export function useBalance(): UseQueryResult<Balance> {
  const latchkey = useLatchkey()
  const account = useAccount()
  const connected = account.status === 'connected'
  return useQuery(
    {
      queryKey: ['balance', account.network?.caipNetworkId, connected ? account.address : undefined],
      queryFn: () => getBalance(latchkey),
      enabled: connected,
      staleTime: holdingsMilliseconds,
    },
    queryClientOf(latchkey),
  )
}
