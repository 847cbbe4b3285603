import type { Identity } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { identityQuery } from '../queries/identityQuery.ts'
import { queryClientOf } from '../queries/queryClient.ts'
import { useAccount } from './useAccount.ts'

/**
 * The name and picture that belong to an account, to the connected one when left out; good for five minutes.
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
