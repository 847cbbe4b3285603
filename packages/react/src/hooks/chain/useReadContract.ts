import {
  readContract,
  type AnyAbi,
  type ContractCall,
  type ContractReadOptions,
  type ContractRequest,
  type FunctionArgs,
  type FunctionNames,
  type FunctionResult,
  type ReadMutability,
} from '@latchkey/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../../context.ts'
import { contractKey, type UseReadContractOptions } from '../../queries/contractKey.ts'
import { queryClientOf } from '../../queries/queryClient.ts'
import { useReadChain } from './useReadChain.ts'

/**
 * Reads from a smart contract, on the network of the active account or on `chainId`. The value is cached for 30 seconds, and
 * read again after a transaction of this page. No wallet needs to be connected.
 *
 * @param call as that of `readContract` of `@latchkey/core`, with `chainId` and `enabled`
 * @returns `data` typed by the ABI, `error`, `status`, `isFetching` and `refetch`
 * @example
 * const abi = [
 *   { type: 'function', name: 'totalSupply', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] },
 * ] as const
 * const { data, status } = useReadContract({ abi, address, functionName: 'totalSupply' })
 */
export function useReadContract<
  const abi extends AnyAbi,
  name extends FunctionNames<abi, ReadMutability>,
  const args extends FunctionArgs<abi, ReadMutability, name>,
>(
  call: ContractRequest<abi, ReadMutability, name, args> & ContractReadOptions & UseReadContractOptions,
): UseQueryResult<FunctionResult<abi, name, args>> {
  const latchkey = useLatchkey()
  const chainId = useReadChain(call.chainId)
  const { abi, address, functionName, args, enabled }: ContractCall & UseReadContractOptions = call
  return useQuery(
    {
      ...contractKey(chainId, [{ address, functionName, args }]),
      async queryFn() {
        const result: unknown = await readContract(latchkey, { abi, address, functionName, args }, { chainId })
        // A query has no undefined values. The adapter decodes the result with the ABI.
        return (result ?? null) as FunctionResult<abi, name, args>
      },
      enabled,
    },
    queryClientOf(latchkey),
  )
}
