import type { Identity } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { identityQuery } from '../queries/identityQuery.ts'
import { queryClientOf } from '../queries/queryClient.ts'
import { useAccount } from './useAccount.ts'

/**
 * Returns the name and avatar of an account, cached for five minutes.
 *
 * @param account the connected account if omitted
 *
 * @example const { data } = useIdentity()
 * <p>{data?.name ?? shortenAddress(address)}</p>
 */
export function useIdentity(account?: AccountId): UseQueryResult<Identity> {
  const latchkey = useLatchkey()
  const active = useAccount()
  const connected = active.status === 'connected' ? active.account : undefined
  return useQuery(identityQuery(latchkey, account ?? connected), queryClientOf(latchkey))
}
