import { getCapabilities } from '@latchkey/core'
import type { ChainId } from '@latchkey/protocol'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../../context.ts'
import { holdingsMilliseconds } from '../../queries/balanceQuery.ts'
import { queryClientOf } from '../../queries/queryClient.ts'
import { useAccount } from '../useAccount.ts'

/** The capabilities of a wallet, by chain. */
export type Capabilities = Readonly<Record<ChainId, Readonly<Record<string, unknown>>>>

/**
 * Returns what the connected wallet can do on each chain (EIP-5792). It is empty if the wallet does not report it.
 *
 * @returns the error is `request/not-allowed` in namespaces without capabilities
 * @example const { data } = useCapabilities()
 * const { atomic } = data?.['eip155:1'] ?? {}
 */
export function useCapabilities(): UseQueryResult<Capabilities> {
  const latchkey = useLatchkey()
  const account = useAccount()
  const [connectorId, id] = account.status === 'connected' ? [account.connectorId, account.account] : []
  return useQuery(
    {
      queryKey: ['capabilities', connectorId, id],
      queryFn: () => getCapabilities(latchkey),
      enabled: id !== undefined,
      staleTime: holdingsMilliseconds,
    },
    queryClientOf(latchkey),
  )
}
