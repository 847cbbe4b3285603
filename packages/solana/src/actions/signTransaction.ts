import type { Latchkey } from '@latchkey/core'
import { requireConnectedWallet } from '@latchkey/adapter-kit'

/**
 * Asks the connected Solana wallet to sign a transaction without sending it.
 *
 * @param transaction in wire format; it may already have signatures of others
 * @returns the signed transaction in wire format. The wallet may have changed it, for example to raise the fee.
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/failed`, `wallet/invalid-response`
 * @example const signed = await signTransaction(latchkey, bytes)
 */
export async function signTransaction(latchkey: Latchkey, transaction: Uint8Array): Promise<Uint8Array> {
  const { connection, account } = requireConnectedWallet(latchkey, 'solana')
  const { requestSignature } = await import('../wallet/requestSignature.ts')
  return requestSignature(connection, account, transaction)
}
