import { parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import type { TransactionRequest } from '../../contracts/adapter.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { connectionForRequest } from '../../requests/requestOptions.ts'
import { submitTransaction } from '../../requests/submitTransaction.ts'
import { findNetwork, getAdapter } from '../../state/getAccount.ts'
import type { SubmittedTransaction, TransactionOrigin } from '../transfers.ts'

/**
 * Asks the wallet to send a transaction. The chain is read while the wallet works, so that a replacement is found even if
 * no node of the app ever sees the transaction itself. Without the chain, only the hash is known.
 *
 * @throws LatchkeyError those of `submitTransaction`
 */
export async function sendTracked(
  latchkey: Latchkey,
  request: TransactionRequest,
  { chainId, from }: { chainId: ChainId; from: AccountId },
): Promise<SubmittedTransaction> {
  let origin: TransactionOrigin = {}
  void readOrigin(latchkey, request, { chainId, from }).then(
    (found) => (origin = found),
    () => {},
  )
  const hash = await submitTransaction(await connectionForRequest(latchkey, { chainId }), request)
  return { hash, ...origin }
}

async function readOrigin(
  latchkey: Pick<Latchkey, 'adapters' | 'networks'>,
  { to, value, data }: TransactionRequest,
  { chainId, from }: { chainId: ChainId; from: AccountId },
): Promise<TransactionOrigin> {
  const { namespace, address } = parseAccountId(from)
  const adapter = getAdapter(latchkey, namespace)
  const network = findNetwork(latchkey, chainId) ?? adapter.unknownNetwork(chainId)
  const transfers = await adapter.transfers?.()
  return (await transfers?.readOrigin?.(network, address, { to, value, data })) ?? {}
}
