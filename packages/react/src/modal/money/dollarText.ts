import { formatAmount } from '@latchkey/core'

/**
 * Formats an upper bound with four significant digits. It is rounded up, because a fee must not look lower than it may be.
 *
 * @example atMost(21_000_000_000_001n, 18) // '0.00002101'
 */
export function atMost(units: bigint, decimals: number, digits = 4): string {
  const dropped = Math.min(decimals, Math.max(0, units.toString().length - digits))
  const step = 10n ** BigInt(dropped)
  return formatAmount(((units + step - 1n) / step) * step, decimals)
}

/**
 * Converts dollars to the text of a field, rounded down to whole cents.
 *
 * @returns an empty text if they are unknown, or so many that a double has no cents
 * @example dollarEntry(1.239) // '1.23'
 */
export function dollarEntry(dollars: number | undefined): string {
  const cents = dollars === undefined ? Number.NaN : Math.floor(dollars * 100)
  return Number.isSafeInteger(cents) ? formatAmount(BigInt(cents), 2) : ''
}

/** Formats dollars in a language. Amounts below one cent are shown as "less than", never as zero. */
export function dollarText(locale: string | undefined, dollars: number): string {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
  return dollars > 0 && dollars < 0.01 ? `<${money.format(0.01)}` : money.format(dollars)
}
