import type { Latchkey } from '@latchkey/core'
import { connected } from './connected.ts'

/**
 * Asks the connected Solana wallet to sign a transaction, without sending it.
 *
 * @param transaction in the form in which it travels; signatures of others may be there already
 * @returns the signed transaction in the same form. Wallets may have changed it, to pay a higher fee for instance.
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/failed`, `wallet/invalid-answer`.
 * @example const signed = await signTransaction(latchkey, bytes)
 */
export async function signTransaction(latchkey: Latchkey, transaction: Uint8Array): Promise<Uint8Array> {
  const { connection, account } = connected(latchkey)
  const { askToSign } = await import('./askToSign.ts')
  return askToSign(connection, account, transaction)
}
