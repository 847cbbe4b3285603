import { getTokens } from '@latchkey/core'
import type { TokenBalance } from '@latchkey/protocol'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { holdingsMilliseconds, queryClientOf } from './queryClient.ts'

/**
 * What the connected account holds on the network it is on, as the server tells; good for 30 seconds. An empty list
 * without a server.
 *
 * @example const { data } = useTokens()
 */
export function useTokens(): UseQueryResult<readonly TokenBalance[]> {
  const latchkey = useLatchkey()
  const account = useAccount()
  const connected = account.status === 'connected'
  return useQuery(
    {
      queryKey: ['tokens', account.network?.caipNetworkId, connected ? account.address : undefined],
      queryFn: () => getTokens(latchkey),
      enabled: connected,
      staleTime: holdingsMilliseconds,
    },
    queryClientOf(latchkey),
  )
}
