import type { Outcome } from '@latchkey/core/money'
import { isLatchkeyError, type Network } from '@latchkey/protocol'
import { isSignature, signature as toSignature } from '@solana/kit'
import { getFailureReason } from '../chain/failureReason.ts'
import { getSolanaClient, type SolanaClients } from '../chain/solanaClients.ts'
import { waitForSolanaReceipt } from '../chain/waitForSolanaReceipt.ts'
import type { TransactionLifetimes } from './sendSolanaTransfer.ts'

const expired = 'the transaction expired before the network included it'

/**
 * Waits for the outcome of a transfer. An expired transaction counts as failed, if the wallet sent exactly the requested
 * transaction: only then is its last valid block known.
 */
export async function followSolanaTransfer(
  clients: SolanaClients,
  lifetimes: TransactionLifetimes,
  network: Network,
  hash: string,
  options: { timeout: number; signal?: AbortSignal },
): Promise<Outcome> {
  try {
    const { blockNumber } = await waitForSolanaReceipt(clients, network, hash, options)
    return { status: 'mined', hash, blockNumber }
  } catch (error) {
    if (isLatchkeyError(error, 'transaction/reverted')) {
      return { status: 'reverted', hash, reason: error.context.reason }
    }
    if (!isLatchkeyError(error, 'transaction/pending')) throw error
  }
  const unknown: Outcome = { status: 'unknown', hash }
  if (options.signal?.aborted === true || !isSignature(hash)) return unknown
  return searchHistory(clients, network, hash, lifetimes.get(hash)).catch(() => unknown)
}

/**
 * Searches the whole chain, not only the recent blocks. The block height is read first: a transaction that is missing
 * after its last valid block was finalized will never be included.
 */
async function searchHistory(
  clients: SolanaClients,
  network: Network,
  hash: string,
  lastValidBlockHeight: bigint | undefined,
): Promise<Outcome> {
  const reader = getSolanaClient(clients, network)
  const height = await reader.getBlockHeight({ commitment: 'finalized' }).send()
  const request = reader.getSignatureStatuses([toSignature(hash)], { searchTransactionHistory: true })
  const [status] = (await request.send()).value
  if (status === null || status === undefined) {
    const isExpired = lastValidBlockHeight !== undefined && height > lastValidBlockHeight
    return isExpired ? { status: 'reverted', hash, reason: expired } : { status: 'unknown', hash }
  }
  if (status.confirmationStatus === 'processed') return { status: 'unknown', hash }
  if (status.err === null) return { status: 'mined', hash, blockNumber: status.slot }
  return { status: 'reverted', hash, reason: getFailureReason(undefined, status.err) }
}
