import {
  readContract,
  readContracts,
  type AnyAbi,
  type ContractCall,
  type ContractReadOptions,
  type ContractRequest,
  type ContractRequests,
  type ContractResults,
  type FunctionArgs,
  type FunctionNames,
  type FunctionResult,
  type ReadMutability,
} from '@latchkey/core'
import type { MaybeRefOrGetter } from 'vue'
import { useRead, type Read } from './useRead.ts'

/**
 * Reads from a smart contract.
 *
 * @param call the call or a getter of it, as that of `readContract` of `@latchkey/core`, with `chainId`; nothing is read
 * while it is undefined
 * @example
 * const abi = [
 *   { type: 'function', name: 'totalSupply', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] },
 * ] as const
 * const { data } = useReadContract({ abi, address, functionName: 'totalSupply' })
 */
export function useReadContract<
  const abi extends AnyAbi,
  name extends FunctionNames<abi, ReadMutability>,
  const args extends FunctionArgs<abi, ReadMutability, name>,
>(
  call: MaybeRefOrGetter<(ContractRequest<abi, ReadMutability, name, args> & ContractReadOptions) | undefined>,
): Read<FunctionResult<abi, name, args>> {
  return useRead(call, async (latchkey, { chainId, ...request }) => {
    const plain: ContractCall = request
    // The adapter decodes the result with the ABI.
    return (await readContract(latchkey, plain, { chainId })) as FunctionResult<abi, name, args>
  })
}

/**
 * Reads several values from smart contracts, in one request if the network has Multicall3.
 *
 * @param options the calls or a getter of them, as those of `readContracts` of `@latchkey/core`, with `chainId`; nothing is
 * read while they are undefined
 * @returns `data` has `{ status: 'success', result }` or `{ status: 'failure', error }` for each call, in order
 * @example
 * const abi = [
 *   { type: 'function', name: 'totalSupply', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] },
 * ] as const
 * const { data } = useReadContracts({ contracts: [{ abi, address, functionName: 'totalSupply' }] })
 */
export function useReadContracts<const calls extends readonly ContractCall[]>(
  options: MaybeRefOrGetter<({ contracts: calls & ContractRequests<calls> } & ContractReadOptions) | undefined>,
): Read<ContractResults<calls>> {
  return useRead(options, async (latchkey, { contracts, chainId }) => {
    const plain: readonly ContractCall[] = contracts
    // The results have the order of the calls.
    return (await readContracts(latchkey, plain, { chainId })) as ContractResults<calls>
  })
}
