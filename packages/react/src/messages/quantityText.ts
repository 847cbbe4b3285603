import { formatAmount } from '@latchkey/core'

/** The decimals of balances [R5.7.1]. */
const places = 3

/**
 * Formats an exact decimal string in a language, with all its digits. Numbers are too imprecise for amounts.
 *
 * @example decimalText('de', '1234.50') // '1.234,50'
 */
export function decimalText(locale: string | undefined, text: string): string {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const sign = text.startsWith('-') ? '-' : ''
  const grouped = sign + new Intl.NumberFormat(locale).format(BigInt(whole))
  if (fraction === '') return grouped
  const digit = new Intl.NumberFormat(locale, { useGrouping: false })
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(0.5)
  const point = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  return grouped + point + [...fraction].map((each) => digit.format(Number(each))).join('')
}

/**
 * Formats a balance in a language: cut to three decimals, and never to zero.
 *
 * @example quantityText('en', 1n, 18) // '<0.001'
 */
export function quantityText(locale: string | undefined, units: bigint | undefined, decimals: number): string {
  const [whole = '0', fraction = ''] = formatAmount(units ?? 0n, decimals).split('.')
  const cut = fraction.slice(0, places).padEnd(places, '0')
  const isTiny = whole === '0' && /^0*$/.test(cut) && /[1-9]/.test(fraction)
  return isTiny ? `<${decimalText(locale, '0.001')}` : decimalText(locale, `${whole}.${cut}`)
}
