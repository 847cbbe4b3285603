import {
  readContracts,
  type ContractCall,
  type ContractReadOptions,
  type ContractRequests,
  type ContractResults,
} from '@latchkey/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../../context.ts'
import { contractKey, type UseReadContractOptions } from '../../queries/contractKey.ts'
import { queryClientOf } from '../../queries/queryClient.ts'
import { useReadChain } from './useReadChain.ts'

/**
 * Reads several values from smart contracts, in one request if the network has Multicall3. The values are cached for 30
 * seconds, and read again after a transaction of this page.
 *
 * @param options the calls, as those of `readContracts` of `@latchkey/core`, with `chainId` and `enabled`
 * @returns `data` with `{ status: 'success', result }` or `{ status: 'failure', error }` for each call, in order; `error`,
 * `status`, `isFetching` and `refetch`
 * @example
 * const { data } = useReadContracts({
 *   contracts: [
 *     { abi, address, functionName: 'name' },
 *     { abi, address, functionName: 'totalSupply' },
 *   ],
 * })
 */
export function useReadContracts<const calls extends readonly ContractCall[]>({
  contracts,
  chainId: requested,
  enabled,
}: { contracts: calls & ContractRequests<calls> } & ContractReadOptions & UseReadContractOptions): UseQueryResult<
  ContractResults<calls>
> {
  const latchkey = useLatchkey()
  const chainId = useReadChain(requested)
  const calls: readonly ContractCall[] = contracts
  return useQuery(
    {
      ...contractKey(chainId, calls),
      // The results have the order of the calls.
      queryFn: async () => (await readContracts(latchkey, calls, { chainId })) as ContractResults<calls>,
      enabled,
    },
    queryClientOf(latchkey),
  )
}
