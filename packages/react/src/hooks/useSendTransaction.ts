import { sendTransaction, type TransactionRequest } from '@latchkey/core'
import { useLatchkey } from '../context.ts'

/**
 * Returns a function that asks the connected wallet to send a transaction on its network.
 *
 * @example const { sendTransaction } = useSendTransaction()
 * const hash = await sendTransaction({ to, value: parseAmount('0.1', 18) })
 */
export function useSendTransaction(): {
  /** @throws LatchkeyError as `sendTransaction` of `@latchkey/core` */
  sendTransaction(request: TransactionRequest): Promise<string>
} {
  const latchkey = useLatchkey()
  return { sendTransaction: (request) => sendTransaction(latchkey, request) }
}
