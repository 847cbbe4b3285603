import type { Connection } from '@latchkey/core'
import { walletError, type LatchkeyError } from '@latchkey/protocol'

/** The error for a response that a wallet should not send. */
export function invalidBitcoinResponse({ wallet }: Connection, method: string): LatchkeyError {
  return walletError('wallet/invalid-response', { wallet: wallet.name, method })
}

/** True if a value is a transaction id: 32 bytes in hex. */
export function isTransactionId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value)
}
