import { formatAmount } from '@latchkey/core'

/** An amount exactly as it will be moved, with the thousands set apart. */
export function exactAmount(units: bigint, decimals: number, symbol: string): string {
  const [whole = '0', fraction] = formatAmount(units, decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${fraction === undefined ? grouped : `${grouped}.${fraction}`} ${symbol}`
}

/** A fee to six places: a bound on what is paid, so that it must not be shown smaller than it is. */
export function feeAmount(units: bigint, decimals: number, symbol: string): string {
  const step = 10n ** BigInt(Math.max(decimals - 6, 0))
  const bound = ((units + step - 1n) / step) * step
  return exactAmount(bound, decimals, symbol)
}
