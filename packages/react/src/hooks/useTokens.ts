import type { TokenBalance } from '@latchkey/protocol'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { queryClientOf } from '../queries/queryClient.ts'
import { tokensQuery } from '../queries/tokensQuery.ts'
import { useAccount } from './useAccount.ts'

/**
 * What the connected account holds on the network it is on, as the server tells; good for 30 seconds. An empty list
 * without a server. After a failure the server is not asked again for 30 seconds.
 *
 * @example const { data } = useTokens()
 */
export function useTokens(): UseQueryResult<readonly TokenBalance[]> {
  const latchkey = useLatchkey()
  return useQuery(tokensQuery(latchkey, useAccount()), queryClientOf(latchkey))
}
