import { formatAmount } from '@latchkey/core'

/** Formats an amount exactly, with thousands separators. */
export function exactAmount(units: bigint, decimals: number, symbol: string): string {
  const [whole = '0', fraction] = formatAmount(units, decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${fraction === undefined ? grouped : `${grouped}.${fraction}`} ${symbol}`
}

/** Formats a maximum fee with six decimals. Rounds up, so that the bound stays true. */
export function feeAmount(units: bigint, decimals: number, symbol: string): string {
  const step = 10n ** BigInt(Math.max(decimals - 6, 0))
  const bound = ((units + step - 1n) / step) * step
  return exactAmount(bound, decimals, symbol)
}
