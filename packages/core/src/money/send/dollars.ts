import { formatAmount, parseAmount } from '../../format/amount.ts'

/** The decimals of prices and dollar amounts during conversion: as many as a double can hold. */
const priceDecimals = 18

/**
 * Returns the value of an amount in dollars, for display only.
 *
 * @returns undefined if the price is unknown
 */
export function toDollars(units: bigint, decimals: number, price: number | undefined): number | undefined {
  return price === undefined ? undefined : Number(formatAmount(units, decimals)) * price
}

/**
 * Converts dollars to an amount of a token, truncated to the decimals of the token.
 *
 * @throws LatchkeyError `amount/invalid` if the dollars are not a decimal number
 */
export function unitsForDollars(dollars: string, decimals: number, price: number): bigint {
  const scaledPrice = parseAmount(price.toFixed(priceDecimals), priceDecimals)
  if (scaledPrice <= 0n) return 0n
  return (parseAmount(dollars, priceDecimals) * 10n ** BigInt(decimals)) / scaledPrice
}
