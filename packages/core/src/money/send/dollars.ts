import { formatAmount, parseAmount } from '../../format/amount.ts'

/** How finely prices and dollars are counted when they become token units: exactly what a double can tell. */
const priceDecimals = 18

/**
 * What an amount is worth, for showing only.
 *
 * @returns undefined where nobody knows a price
 */
export function dollarsOf(units: bigint, decimals: number, price: number | undefined): number | undefined {
  return price === undefined ? undefined : Number(formatAmount(units, decimals)) * price
}

/**
 * How much of a token so many dollars are, cut off after its last digit.
 *
 * @throws LatchkeyError `amount/invalid` unless the dollars are a decimal number.
 */
export function unitsForDollars(dollars: string, decimals: number, price: number): bigint {
  const scaledPrice = parseAmount(price.toFixed(priceDecimals), priceDecimals)
  if (scaledPrice <= 0n) return 0n
  return (parseAmount(dollars, priceDecimals) * 10n ** BigInt(decimals)) / scaledPrice
}
