import type { Finality, FollowOptions, Outcome, SubmittedTransaction } from '@latchkey/core/money'
import { isLatchkeyError, type Network } from '@latchkey/protocol'
import { isSignature, signature as toSignature } from '@solana/kit'
import { getFailureReason } from '../chain/failureReason.ts'
import { getSolanaClient, wrapUnreachable, type SolanaClients } from '../chain/solanaClients.ts'
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
  { hash, lastBlock }: SubmittedTransaction,
  options: FollowOptions,
): Promise<Outcome> {
  const search = (): Promise<Outcome> => searchHistory(clients, network, hash, lastBlock ?? lifetimes.get(hash))
  if (options.once === true && isSignature(hash)) return search()
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
  return search().catch(() => unknown)
}

/**
 * Looks up a mined transaction again, to detect that the cluster dropped its block.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function getSolanaFinality(clients: SolanaClients, network: Network, hash: string): Promise<Finality> {
  if (!isSignature(hash)) return 'final'
  const request = getSolanaClient(clients, network).getSignatureStatuses([hash], { searchTransactionHistory: true })
  const [status] = (await wrapUnreachable(network, request.send())).value
  if (status === null || status === undefined) return 'missing'
  return status.confirmationStatus === 'finalized' ? 'final' : 'mined'
}

/**
 * Reads the network fee that a transaction paid, in lamports.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function getSolanaPaidFee(
  clients: SolanaClients,
  network: Network,
  hash: string,
): Promise<bigint | undefined> {
  if (!isSignature(hash)) return undefined
  const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const
  const request = getSolanaClient(clients, network).getTransaction(hash, config)
  return (await wrapUnreachable(network, request.send()))?.meta?.fee
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
