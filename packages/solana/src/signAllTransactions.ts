import type { Latchkey } from '@latchkey/core'
import { connected } from './connected.ts'

/**
 * Asks the connected Solana wallet to sign several transactions with one consent, without sending them.
 *
 * @returns the signed transactions in the same order
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/failed`, `wallet/invalid-answer`.
 * @example const [approval, purchase] = await signAllTransactions(latchkey, [first, second])
 */
export async function signAllTransactions(
  latchkey: Latchkey,
  transactions: readonly Uint8Array[],
): Promise<readonly Uint8Array[]> {
  const { connection, account } = connected(latchkey)
  const { askToSignAll } = await import('./askToSign.ts')
  return askToSignAll(connection, account, transactions)
}
