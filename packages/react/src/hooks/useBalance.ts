import type { Balance } from '@latchkey/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { balanceQuery } from '../queries/balanceQuery.ts'
import { queryClientOf } from '../queries/queryClient.ts'
import { useAccount } from './useAccount.ts'

/**
 * Returns the native balance of the connected account on its network. It is read from the chain and cached for 30
 * seconds.
 *
 * @example const { data } = useBalance()
 */
export function useBalance(): UseQueryResult<Balance> {
  const latchkey = useLatchkey()
  return useQuery(balanceQuery(latchkey, useAccount()), queryClientOf(latchkey))
}
