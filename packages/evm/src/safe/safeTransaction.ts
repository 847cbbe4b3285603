import { safeError } from './safeLine.ts'

/** A transaction as a Safe takes it. */
export type SafeTransaction = { to: string; value: string; data: string }

/** Reads a transaction of `eth_sendTransaction` or a call of `wallet_sendCalls`. A Safe makes no contract by itself, so it always goes to somebody. */
export function readTransaction(transaction: unknown): SafeTransaction {
  const fields = typeof transaction === 'object' && transaction !== null ? transaction : {}
  const { to, value, data } = fields as Readonly<Record<string, unknown>>
  if (typeof to !== 'string') throw safeError(-32_602, 'A Safe sends to an address.')
  return { to, value: BigInt(typeof value === 'string' ? value : 0).toString(), data: String(data ?? '0x') }
}
