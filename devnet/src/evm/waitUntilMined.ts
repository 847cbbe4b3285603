import { setTimeout as sleep } from 'node:timers/promises'
import { TransactionReceiptNotFoundError, type Hash, type TransactionReceipt } from 'viem'

/** A client that can look up receipts, for example a public client of viem. */
export type ReceiptReader = { getTransactionReceipt(request: { hash: Hash }): Promise<TransactionReceipt> }

const pauseMilliseconds = 10

/**
 * Waits until a transaction is mined. A node that mines immediately may report a block before it has its receipts, so
 * waiting for the next block could take forever.
 */
export async function waitUntilMined(reader: ReceiptReader, hash: Hash): Promise<TransactionReceipt> {
  for (;;) {
    try {
      return await reader.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
      await sleep(pauseMilliseconds)
    }
  }
}
