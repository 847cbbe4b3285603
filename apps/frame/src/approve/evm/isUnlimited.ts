/** Apps write "unlimited" as the maximum of 256, 160 or 96 bits, or half of it. No token has such a supply. */
const most = { any: 2n ** 128n, ofSmall: 2n ** 96n - 1n } as const

/**
 * True if an allowance covers any amount that the account can hold.
 *
 * @param supply of the token, if known: an attacker writes an amount just below the usual maxima
 */
export function isUnlimited(amount: bigint, supply?: bigint): boolean {
  return amount >= most.any || amount === most.ofSmall || (supply !== undefined && supply > 0n && amount >= supply)
}
