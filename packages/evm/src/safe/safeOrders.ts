import type { SafeTransaction } from './safeTransaction.ts'
import { safeError, type SafeLine } from './safeLine.ts'

/** What a Safe was told to carry out. Its owners may take days, and the chain's hash is known only after that. */
export type SafeOrders = {
  /** @returns the Safe's own hash of it */
  send(transactions: readonly SafeTransaction[]): Promise<string>
  look(safeTxHash: string): Promise<{ status: unknown; hash: string | undefined }>
  /** The transaction in which one of this page's was carried out; undefined while it was not, or for another hash. */
  carriedOut(safeTxHash: string): Promise<string | undefined>
}

export function createOrders(line: SafeLine): SafeOrders {
  const sent = new Set<string>()

  async function look(safeTxHash: string): Promise<{ status: unknown; hash: string | undefined }> {
    const details = await line.ask('getTxBySafeTxHash', { safeTxHash })
    const hash = read(details, 'txHash')
    return { status: read(details, 'txStatus'), hash: typeof hash === 'string' ? hash : undefined }
  }

  return {
    look,
    async send(transactions) {
      const hash = read(await line.ask('sendTransactions', { txs: transactions, params: {} }), 'safeTxHash')
      if (typeof hash !== 'string') throw safeError(-32_603, 'The Safe gave no hash.')
      sent.add(hash.toLowerCase())
      return hash
    },
    carriedOut: async (safeTxHash) => (sent.has(safeTxHash.toLowerCase()) ? (await look(safeTxHash)).hash : undefined),
  }
}

/** A field of what another window says. */
export function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
