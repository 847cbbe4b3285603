import { signTypedData, writeContract, type ContractWriter, type Latchkey, type TypedDataSigner } from '@latchkey/core'
import { actionStore, type ActionStore } from './actionStore.ts'

type Store<typed> = Omit<ActionStore<never, string>, 'mutate' | 'mutateAsync'> & typed

/** Calls of a smart contract, typed by its ABI. */
export type WriteContractStore = Store<ContractWriter>
/** Signatures of structured data, typed by its types. */
export type SignTypedDataStore = Store<TypedDataSigner>

/**
 * Creates a store that calls smart contracts.
 *
 * @example
 * const abi = [{ type: 'function', name: 'mint', stateMutability: 'nonpayable', inputs: [], outputs: [] }] as const
 * writeContractStore(latchkey).mutate({ abi, address, functionName: 'mint' })
 */
export function writeContractStore(latchkey: Latchkey): WriteContractStore {
  const store: ActionStore<never, string> = actionStore(latchkey, writeContract)
  // `actionStore` keeps the parameters of the action, but not that they depend on the ABI.
  return store as unknown as WriteContractStore
}

/**
 * Creates a store that signs structured data (EIP-712).
 *
 * @example
 * const types = { Order: [{ name: 'amount', type: 'uint256' }] } as const
 * signTypedDataStore(latchkey).mutate({ types, primaryType: 'Order', message: { amount: 1n } })
 */
export function signTypedDataStore(latchkey: Latchkey): SignTypedDataStore {
  const store: ActionStore<never, string> = actionStore(latchkey, signTypedData)
  // `actionStore` keeps the parameters of the action, but not that they depend on the types.
  return store as unknown as SignTypedDataStore
}
