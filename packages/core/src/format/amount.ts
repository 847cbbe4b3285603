import { inputError } from '@latchkey/protocol'

const decimalNumber = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * Parses a decimal string to base units. Digits beyond the decimals are cut off, never rounded.
 *
 * @param decimals the number of decimals of one unit
 * @throws LatchkeyError `amount/invalid` unless the string is digits with at most one point and an optional minus.
 * @example parseAmount('1.5', 18) // 1500000000000000000n
 */
export function parseAmount(text: string, decimals: number): bigint {
  const match = decimalNumber.exec(text)
  if (match === null) throw inputError('amount/invalid', { value: text.slice(0, 80) })
  const [, sign = '', whole = '', fraction = ''] = match
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return sign === '-' ? -units : units
}

/**
 * Formats base units as an exact decimal string.
 *
 * @example formatAmount(1500000000000000000n, 18) // '1.5'
 */
export function formatAmount(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`
}

/**
 * Formats base units for display: truncated to three decimals, all of them shown.
 *
 * @example displayAmount(1999999n, 6) // '1.999'
 */
export function displayAmount(units: bigint | undefined, decimals: number, places: number = 3): string {
  const [whole = '0', fraction = ''] = formatAmount(units ?? 0n, decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return places === 0 ? grouped : `${grouped}.${fraction.slice(0, places).padEnd(places, '0')}`
}
