/** A field of what a node told, whatever that is. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** A whole number that is not negative, as a number or as digits. */
export function readCount(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
  return typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : undefined
}
