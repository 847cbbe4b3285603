import { writeContract, type ActionCalls, type ActionState, type ContractWriter } from '@latchkey/core'
import { useAction } from './useAction.ts'

/** The calls of a smart contract. The arguments of each call are typed by its ABI. */
export type UseWriteContractResult = ActionState<string> & ContractWriter & { reset(): void }

/**
 * Asks the connected wallet to call a smart contract, after a simulation.
 *
 * @returns the state of the last call and the functions that call; `data` is the hash of the transaction, for
 * `useWaitForTransaction`. Errors are those of `writeContract` of `@latchkey/core`.
 * @example
 * const abi = [
 *   { type: 'function', name: 'mint', stateMutability: 'nonpayable', inputs: [{ type: 'uint256' }], outputs: [] },
 * ] as const
 * const { mutate, data: hash, error } = useWriteContract()
 * mutate({ abi, address, functionName: 'mint', args: [1n] }, { chainId: 'eip155:1' })
 */
export function useWriteContract(): UseWriteContractResult {
  const action: ActionState<string> & ActionCalls<never, string> = useAction(writeContract)
  // `useAction` keeps the parameters of the action, but not that they depend on the ABI.
  return action as unknown as UseWriteContractResult
}
