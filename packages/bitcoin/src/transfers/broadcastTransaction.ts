import { findNetwork } from '@latchkey/adapter-kit'
import type { Clock } from '@latchkey/core'
import { isLatchkeyError, type ChainId, type Network, requestError } from '@latchkey/protocol'
import { base64 } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { getChainTransaction } from '../chain/chainTransaction.ts'
import { requestEsplora } from '../chain/esplora.ts'

/**
 * Sends a signed transaction to the network.
 *
 * @returns `unknown` if no source confirmed that it received the transaction, and no source has it
 * @throws LatchkeyError `rpc/failed` with the reason if the network refused it
 */
export async function broadcastTransaction(
  network: Network,
  transaction: Transaction,
  clock: Clock | undefined,
): Promise<'sent' | 'unknown'> {
  let refusal: unknown
  try {
    const response = await requestEsplora(network, { path: 'tx', body: transaction.hex }, clock)
    if (response !== undefined) return 'sent'
  } catch (error) {
    // A node also refuses a transaction that it received before, for example when the first response was lost.
    if (isLatchkeyError(error, 'rpc/failed')) refusal = error
  }
  const known = await getChainTransaction(network, transaction.id, clock).catch(() => undefined)
  if (known !== undefined) return 'sent'
  if (refusal !== undefined) throw refusal
  return 'unknown'
}

/**
 * Finalizes a signed PSBT in base64 and sends it to the network.
 *
 * @returns the transaction id
 * @throws LatchkeyError `request/unknown` if no source confirmed that it received the transaction; the errors of
 * `broadcastTransaction`
 */
export async function broadcastPsbt(
  { networks, clock }: { networks: readonly Network[]; clock: Clock | undefined },
  chainId: ChainId,
  psbt: string,
): Promise<string> {
  const transaction = Transaction.fromPSBT(base64.decode(psbt))
  if (!transaction.isFinal) transaction.finalize()
  const status = await broadcastTransaction(findNetwork(networks, chainId), transaction, clock)
  if (status === 'unknown') throw requestError('request/unknown', { method: 'signPsbt' })
  return transaction.id
}
