import { signTypedData, writeContract } from '@latchkey/core'
import type { ContractWriter, TypedDataSigner } from '@latchkey/core'
import { useAction, type Action } from './useAction.ts'

type Calls<typed> = Omit<Action<never, string>, 'mutate' | 'mutateAsync'> & typed

/** Calls of a smart contract, typed by its ABI. */
export type WriteContract = Calls<ContractWriter>
/** Signatures of structured data, typed by its types. */
export type SignTypedData = Calls<TypedDataSigner>

/**
 * Asks the connected wallet to call a smart contract, after a simulation.
 *
 * @example
 * const abi = [{ type: 'function', name: 'mint', stateMutability: 'nonpayable', inputs: [], outputs: [] }] as const
 * useWriteContract().mutate({ abi, address, functionName: 'mint' })
 */
export function useWriteContract(): WriteContract {
  const action: Action<never, string> = useAction(writeContract)
  // `useAction` keeps the parameters of the action, but not that they depend on the ABI.
  return action as unknown as WriteContract
}

/**
 * Asks the connected wallet to sign structured data (EIP-712).
 *
 * @example
 * const types = { Order: [{ name: 'amount', type: 'uint256' }] } as const
 * useSignTypedData().mutate({ types, primaryType: 'Order', message: { amount: 1n } })
 */
export function useSignTypedData(): SignTypedData {
  const action: Action<never, string> = useAction(signTypedData)
  // `useAction` keeps the parameters of the action, but not that they depend on the types.
  return action as unknown as SignTypedData
}
