import type { TransactionRequest } from '../contracts/adapter.ts'
import type { ActiveConnection } from '../state/connectedWallets.ts'

/**
 * Asks the wallet for a transaction of the modal's own flows. Unlike `sendTransaction`, it waits for the wallet after the
 * modal closed [R2.2.7]: the user may still approve there, and the transaction must then be followed.
 *
 * @throws LatchkeyError as `sendTransaction`
 */
export async function submitTransaction(
  { adapter, state }: ActiveConnection,
  request: TransactionRequest,
): Promise<string> {
  return adapter.sendTransaction(state.connection, state.account, request)
}
