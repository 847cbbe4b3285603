import { formatAmount, parseAmount } from '@latchkey/core'

/**
 * Writes a small amount with as many places as tell it apart from nothing: four digits that count. It is rounded up, for
 * what may be charged must not look like less.
 *
 * @example atMost(21_000_000_000_001n, 18) // '0.00002101'
 */
export function atMost(units: bigint, decimals: number, digits = 4): string {
  const dropped = Math.min(decimals, Math.max(0, units.toString().length - digits))
  const step = 10n ** BigInt(dropped)
  return formatAmount(((units + step - 1n) / step) * step, decimals)
}

/** Dollars as a language writes them. Less than a cent is said so, never as nothing. */
export function dollarText(locale: string | undefined, dollars: number): string {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
  return dollars > 0 && dollars < 0.01 ? `<${money.format(0.01)}` : money.format(dollars)
}

/** What somebody typed, in base units; undefined for what is no amount. */
export function unitsIn(text: string, decimals: number): bigint | undefined {
  try {
    return parseAmount(text, decimals)
  } catch {
    return undefined
  }
}
