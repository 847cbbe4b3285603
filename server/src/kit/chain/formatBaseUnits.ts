/**
 * Formats an amount in base units as an exact decimal string. Money is never a float.
 *
 * @example formatBaseUnits(1_500_000n, 6) // '1.5'
 */
export function formatBaseUnits(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}
