import { formatAmount, parseAmount } from '../../format/amount.ts'

/** The decimals of prices and dollar amounts during conversion: as many as a double can hold. */
const priceDecimals = 18

/**
 * Returns the value of an amount in dollars, for display only.
 *
 * @returns undefined if the price is unknown
 */
export function toDollars(units: bigint, decimals: number, price: number | undefined): number | undefined {
  const dollars = price === undefined ? undefined : Number(formatAmount(units, decimals)) * price
  return Number.isFinite(dollars) ? dollars : undefined
}

/**
 * Converts dollars to an amount of a token, truncated to the decimals of the token.
 *
 * @returns 0 without a usable price
 * @throws LatchkeyError `amount/invalid` if the dollars are not a decimal number
 */
export function unitsForDollars(dollars: string, decimals: number, price: number): bigint {
  // Larger numbers are formatted with an exponent.
  if (!(price > 0 && price < 1e21)) return 0n
  const scaledPrice = parseAmount(price.toFixed(priceDecimals), priceDecimals)
  if (scaledPrice <= 0n) return 0n
  return (parseAmount(dollars, priceDecimals) * 10n ** BigInt(decimals)) / scaledPrice
}
