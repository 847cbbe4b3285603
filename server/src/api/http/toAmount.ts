import type { Hex } from '../../indexer/block.ts'

/** Returns a list unchanged, and an empty list for any other value. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the first non-empty text. */
export function toFirstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '')
}

/** Converts a non-negative integer, given as a number or as digits. Returns `undefined` for other values. */
export function toAmount(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
  return typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value) : undefined
}

/** Like `toAmount`, as a safe integer. */
export function toCount(value: unknown): number | undefined {
  const whole = toAmount(value)
  return whole === undefined || whole > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(whole)
}

/** The last second of the year 9999. */
const maxSeconds = 253_402_300_799

/** Converts a Unix time in seconds to milliseconds. Returns `undefined` for a time that cannot be shown as a date. */
export function fromUnixSeconds(value: unknown): number | undefined {
  const seconds = toCount(value)
  return seconds === undefined || seconds > maxSeconds ? undefined : seconds * 1_000
}

/** Converts the decimals of a token, from 0 to 77. */
export function toDecimals(value: unknown): number | undefined {
  const parsed = toCount(value)
  return parsed === undefined || parsed > 77 ? undefined : parsed
}

/** Converts an EVM address to lower case. */
export function toAddress(value: unknown): Hex | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value) ? (value.toLowerCase() as Hex) : undefined
}

/** Converts a transaction hash to lower case. */
export function toTransactionHash(value: unknown): Hex | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) ? (value.toLowerCase() as Hex) : undefined
}

/** Converts a date text to milliseconds. */
export function toTimestamp(value: unknown): number | undefined {
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(parsed) ? undefined : parsed
}
