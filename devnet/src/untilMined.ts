import { setTimeout as sleep } from 'node:timers/promises'
import { TransactionReceiptNotFoundError, type Hash, type TransactionReceipt } from 'viem'

/** Whoever can look up receipts, viem's public clients among them. */
export type ReceiptReader = { getTransactionReceipt(question: { hash: Hash }): Promise<TransactionReceipt> }

const pauseMilliseconds = 10

/**
 * Waits until a transaction is mined. A node that mines at once may count a block a moment before it knows the receipts of
 * it: who looks again with the next block only would wait for ever.
 */
export async function untilMined(reader: ReceiptReader, hash: Hash): Promise<TransactionReceipt> {
  for (;;) {
    try {
      return await reader.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
      await sleep(pauseMilliseconds)
    }
  }
}
