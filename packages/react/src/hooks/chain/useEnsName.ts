import { getEnsName, type EnsOptions } from '@latchkey/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../../context.ts'
import { queryClientOf } from '../../queries/queryClient.ts'
import { useAccount } from '../useAccount.ts'
import { ensQuery } from '../../queries/ensQuery.ts'

/**
 * Returns the primary name of an address, read from ENS on the chain and cached for five minutes. `useIdentity` asks the
 * server instead.
 *
 * @param options the address, that of the connected account if omitted; `chainId` selects the network whose records are
 * preferred
 * @returns `data` is null if the address has no name, or if no network of the app has ENS
 * @example const { data: name } = useEnsName({ address })
 */
export function useEnsName({ address, chainId }: { address?: string } & EnsOptions = {}): UseQueryResult<
  string | null
> {
  const latchkey = useLatchkey()
  const account = useAccount()
  const about = address ?? (account.status === 'connected' ? account.address : undefined)
  return useQuery(
    ensQuery(['name', about, chainId], about, (known) => getEnsName(latchkey, known, { chainId })),
    queryClientOf(latchkey),
  )
}
