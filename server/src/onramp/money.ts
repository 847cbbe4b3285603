const written = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/

/** Reads an amount of money as hundredths; undefined when it is none. */
export function readCents(text: string): bigint | undefined {
  const match = written.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  return BigInt(whole + fraction.padEnd(2, '0'))
}

/** Writes hundredths with both places: `10.00`. */
export function writeCents(cents: bigint): string {
  const digits = cents.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
