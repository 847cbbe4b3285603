import { signMessage, type RequestOptions } from '@latchkey/core'
import { useAction, type Action } from './useAction.ts'

/**
 * Asks the connected wallet to sign a text message.
 *
 * @returns the state of the last call and the functions that sign; `data` is the signature. Errors are those of
 * `signMessage` of `@latchkey/core`. `signMessage` is the same as `mutateAsync`.
 * @example const { mutate, data: signature, error } = useSignMessage()
 * <button onClick={() => mutate('Hello')}>Sign</button>
 */
export function useSignMessage(): Action<[message: string, options?: RequestOptions], string> & {
  signMessage(message: string, options?: RequestOptions): Promise<string>
} {
  const action = useAction(signMessage)
  return { ...action, signMessage: action.mutateAsync }
}
