import { signTypedData, type ActionCalls, type ActionState, type TypedDataSigner } from '@latchkey/core'
import { useAction } from './useAction.ts'

/** Signatures of structured data. The message of each call is typed by its types. */
export type UseSignTypedDataResult = ActionState<string> & TypedDataSigner & { reset(): void }

/**
 * Asks the connected wallet to sign structured data (EIP-712).
 *
 * @returns the state of the last call and the functions that sign; `data` is the signature. Errors are those of
 * `signTypedData` of `@latchkey/core`.
 * @example
 * const { mutate, data: signature } = useSignTypedData()
 * mutate({ types: { Order: [{ name: 'amount', type: 'uint256' }] }, primaryType: 'Order', message: { amount: 1n } })
 */
export function useSignTypedData(): UseSignTypedDataResult {
  const action: ActionState<string> & ActionCalls<never, string> = useAction(signTypedData)
  // `useAction` keeps the parameters of the action, but not that they depend on the types.
  return action as unknown as UseSignTypedDataResult
}
