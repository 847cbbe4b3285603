import type { Outcome } from '@latchkey/core/money'
import { isLatchkeyError, type Network } from '@latchkey/protocol'
import { isSignature, signature as toSignature } from '@solana/kit'
import { failureReason } from '../failureReason.ts'
import { readerOf, type Readers } from '../readers.ts'
import { waitForReceipt } from '../waitForReceipt.ts'
import type { Lifetimes } from './sendTransfer.ts'

const expired = 'the network did not take it in time, and will not any more'

/**
 * Waits until the chain tells how a transfer ended. One that cannot be taken any more ends, too, where the wallet sent
 * what it was asked to: then it is known until when that was possible.
 */
export async function followTransfer(
  readers: Readers,
  lifetimes: Lifetimes,
  network: Network,
  hash: string,
  options: { timeout: number; signal?: AbortSignal },
): Promise<Outcome> {
  try {
    const { blockNumber } = await waitForReceipt(readers, network, hash, options)
    return { status: 'mined', hash, blockNumber }
  } catch (error) {
    if (isLatchkeyError(error, 'transaction/reverted')) {
      return { status: 'reverted', hash, reason: error.context.reason }
    }
    if (!isLatchkeyError(error, 'transaction/pending')) throw error
  }
  const unknown: Outcome = { status: 'unknown', hash }
  if (options.signal?.aborted === true || !isSignature(hash)) return unknown
  return lookBack(readers, network, hash, lifetimes.get(hash)).catch(() => unknown)
}

/**
 * Looks at the whole chain, where nodes otherwise look at the last minute. The height is read first: what is not there
 * when the last block that could have had it was final already, never will be.
 */
async function lookBack(
  readers: Readers,
  network: Network,
  hash: string,
  lastValidBlockHeight: bigint | undefined,
): Promise<Outcome> {
  const reader = readerOf(readers, network)
  const height = await reader.getBlockHeight({ commitment: 'finalized' }).send()
  const asked = reader.getSignatureStatuses([toSignature(hash)], { searchTransactionHistory: true })
  const [status] = (await asked.send()).value
  if (status === null || status === undefined) {
    const isOver = lastValidBlockHeight !== undefined && height > lastValidBlockHeight
    return isOver ? { status: 'reverted', hash, reason: expired } : { status: 'unknown', hash }
  }
  if (status.confirmationStatus === 'processed') return { status: 'unknown', hash }
  if (status.err === null) return { status: 'mined', hash, blockNumber: status.slot }
  return { status: 'reverted', hash, reason: failureReason(undefined, status.err) }
}
