import { getField, getStringField } from '@latchkey/protocol'
import { safeError, type SafeChannel } from './safeChannel.ts'
import type { SafeTransaction } from './safeTransaction.ts'

/** The transactions that the page gave to a Safe. Its owners may take days to sign. The chain's hash exists only after that. */
export type SafeQueue = {
  /** @returns the Safe's own hash of the transaction. */
  send(transactions: readonly SafeTransaction[]): Promise<string>
  getTransaction(safeTxHash: string): Promise<{ status: unknown; hash: string | undefined }>
  /** Returns the chain's hash of one of the page's transactions, or `undefined` if it was not executed yet. */
  getExecutedHash(safeTxHash: string): Promise<string | undefined>
}

/** Creates the queue of a Safe. */
export function createSafeQueue(channel: SafeChannel): SafeQueue {
  const sent = new Set<string>()

  async function getTransaction(safeTxHash: string): Promise<{ status: unknown; hash: string | undefined }> {
    const details = await channel.request('getTxBySafeTxHash', { safeTxHash })
    return { status: getField(details, 'txStatus'), hash: getStringField(details, 'txHash') }
  }

  return {
    getTransaction,
    async send(transactions) {
      const response = await channel.request('sendTransactions', { txs: transactions, params: {} })
      const hash = getField(response, 'safeTxHash')
      if (typeof hash !== 'string') throw safeError(-32_603, 'The Safe returned no hash.')
      sent.add(hash.toLowerCase())
      return hash
    },
    async getExecutedHash(safeTxHash) {
      return sent.has(safeTxHash.toLowerCase()) ? (await getTransaction(safeTxHash)).hash : undefined
    },
  }
}
