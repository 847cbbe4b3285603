import type { Latchkey } from '@latchkey/core'
import { requireConnectedWallet } from '@latchkey/adapter-kit'

/**
 * Asks the connected Solana wallet to sign several transactions with a single approval, without sending them.
 *
 * @param transactions in wire format
 * @returns the signed transactions in wire format, in the same order
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/failed`, `wallet/invalid-response`
 * @example const [approval, purchase] = await signAllTransactions(latchkey, [first, second])
 */
export async function signAllTransactions(
  latchkey: Latchkey,
  transactions: readonly Uint8Array[],
): Promise<readonly Uint8Array[]> {
  const { connection, account } = requireConnectedWallet(latchkey, 'solana')
  const { requestSignatures } = await import('../wallet/requestSignature.ts')
  return requestSignatures(connection, account, transactions)
}
