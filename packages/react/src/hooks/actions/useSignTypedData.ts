import { signTypedData, type RequestOptions, type TypedDataRequest } from '@latchkey/core'
import type { TypedData } from 'abitype'
import { useAction, type ActionCalls, type ActionState } from './useAction.ts'

type SignOf<result> = <
  const types extends TypedData | Readonly<Record<string, unknown>>,
  primaryType extends keyof types & string,
>(
  data: TypedDataRequest<types, primaryType>,
  options?: RequestOptions,
) => result

/** Signatures of structured data. The message of each call is typed by its types. */
export type SignTypedDataOfHook = ActionState<string> & {
  mutate: SignOf<void>
  mutateAsync: SignOf<Promise<string>>
  reset(): void
}

/**
 * Asks the connected wallet to sign structured data (EIP-712).
 *
 * @returns the state of the last call and the functions that sign; `data` is the signature. Errors are those of
 * `signTypedData` of `@latchkey/core`.
 * @example
 * const { mutate, data: signature } = useSignTypedData()
 * mutate({ types: { Order: [{ name: 'amount', type: 'uint256' }] }, primaryType: 'Order', message: { amount: 1n } })
 */
export function useSignTypedData(): SignTypedDataOfHook {
  const action: ActionState<string> & ActionCalls<never, string> = useAction(signTypedData)
  // `useAction` keeps the parameters of the action, but not that they depend on the types.
  return action as unknown as SignTypedDataOfHook
}
