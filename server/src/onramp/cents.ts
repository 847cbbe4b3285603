const amountPattern = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/

/** Parses a decimal amount of money to hundredths. Returns `undefined` if the text is not an amount. */
export function parseCents(text: string): bigint | undefined {
  const match = amountPattern.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  return BigInt(whole + fraction.padEnd(2, '0'))
}

/** Formats hundredths with two decimal places: `10.00`. */
export function formatCents(cents: bigint): string {
  const digits = cents.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
