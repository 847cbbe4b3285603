import type { Hex } from '../../indexer/block.ts'

/** A member of what a provider told; undefined of anything that has none. */
export function read(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
}

/** A list; empty when it is none. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The first that is a text. */
export function text(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '')
}

/** A whole number of base units, never below zero. */
export function amount(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
  return typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value) : undefined
}

/** A whole number that is counted with. */
export function count(value: unknown): number | undefined {
  const whole = amount(value)
  return whole === undefined || whole > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(whole)
}

/** Decimals of a token; nothing reasonable has more than 77. */
export function decimalsOf(value: unknown): number | undefined {
  const told = count(value)
  return told === undefined || told > 77 ? undefined : told
}

/** An address, in lower case. */
export function address(value: unknown): Hex | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value) ? (value.toLowerCase() as Hex) : undefined
}

/** The hash of a transaction, in lower case. */
export function hash(value: unknown): Hex | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) ? (value.toLowerCase() as Hex) : undefined
}

/** Milliseconds of a time that is written as text. */
export function time(value: unknown): number | undefined {
  const told = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(told) ? undefined : told
}
