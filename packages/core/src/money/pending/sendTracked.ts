import { parseAccountId } from '@latchkey/protocol'
import type { TransactionRequest } from '../../contracts/adapter.ts'
import type { ActiveConnection } from '../../state/connectedWallets.ts'
import type { SubmittedTransaction, TransactionOrigin } from '../transfers.ts'

/**
 * Asks the wallet for a transaction of the modal's own flows. Unlike `sendTransaction`, it waits for the wallet after the
 * modal closed [R2.2.7]: the user may still approve there, and the transaction must then be followed.
 *
 * The chain is read while the wallet works, so that a replacement is found even if no node of the app ever sees the
 * transaction itself. Without the chain, only the hash is known.
 *
 * @throws LatchkeyError as `sendTransaction`
 */
export async function sendTracked(
  connection: ActiveConnection,
  request: TransactionRequest,
): Promise<SubmittedTransaction> {
  const { adapter, state } = connection
  let origin: TransactionOrigin = {}
  void readOrigin(connection, request).then(
    (found) => (origin = found),
    () => {},
  )
  const hash = await adapter.sendTransaction(state.connection, state.account, request)
  return { hash, ...origin }
}

async function readOrigin(
  { adapter, state, network }: ActiveConnection,
  { to, value, data }: TransactionRequest,
): Promise<TransactionOrigin> {
  const transfers = await adapter.transfers?.()
  const { address } = parseAccountId(state.account)
  return (await transfers?.readOrigin?.(network, address, { to, value, data })) ?? {}
}
