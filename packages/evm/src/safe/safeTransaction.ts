import { getField } from '@latchkey/protocol'
import { safeError } from './safeChannel.ts'

/** A transaction in the format of a Safe. */
export type SafeTransaction = { to: string; value: string; data: string }

/**
 * Parses a transaction of `eth_sendTransaction` or a call of `wallet_sendCalls`. A Safe does not create contracts itself, so
 * a receiver is required.
 */
export function parseSafeTransaction(transaction: unknown): SafeTransaction {
  const [to, value, data] = ['to', 'value', 'data'].map((name) => getField(transaction, name))
  if (typeof to !== 'string') throw safeError(-32_602, 'A Safe transaction needs a receiver.')
  return { to, value: BigInt(typeof value === 'string' ? value : 0).toString(), data: String(data ?? '0x') }
}
