import { sendTransaction, type RequestOptions, type TransactionRequest } from '@latchkey/core'
import { useAction, type Action } from './useAction.ts'

/**
 * Asks the connected wallet to send a transaction.
 *
 * @returns the state of the last call and the functions that send; `data` is the hash. Errors are those of
 * `sendTransaction` of `@latchkey/core`. `sendTransaction` is the same as `mutateAsync`.
 * @example const { mutate, data: hash } = useSendTransaction()
 * <button onClick={() => mutate({ to, value: parseAmount('0.1', 18) })}>Send</button>
 */
export function useSendTransaction(): Action<[request: TransactionRequest, options?: RequestOptions], string> & {
  sendTransaction(request: TransactionRequest, options?: RequestOptions): Promise<string>
} {
  const action = useAction(sendTransaction)
  return { ...action, sendTransaction: action.mutateAsync }
}
