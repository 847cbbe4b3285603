import type { TokenBalance } from '@latchkey/protocol'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { queryClientOf } from '../queries/queryClient.ts'
import { tokensQuery } from '../queries/tokensQuery.ts'
import { useAccount } from './useAccount.ts'

/**
 * Returns the token balances of the connected account on its network, cached for 30 seconds. The list is empty without a
 * server. After a failure, the next request follows after 30 seconds.
 *
 * @example const { data } = useTokens()
 */
export function useTokens(): UseQueryResult<readonly TokenBalance[]> {
  const latchkey = useLatchkey()
  return useQuery(tokensQuery(latchkey, useAccount()), queryClientOf(latchkey))
}
