import type { BuyAmount } from '@latchkey/core/money'

/** Formats money in a language. Unknown currencies are not formatted. */
export function moneyText(locale: string | undefined, { amount, currency }: BuyAmount): string {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(amount))
  } catch {
    return `${amount} ${currency}`
  }
}

/** Formats a whole amount of money in a language, without decimals. */
export function wholeMoneyText(locale: string | undefined, { amount, currency }: BuyAmount): string {
  try {
    const money = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 })
    return money.format(Number(amount))
  } catch {
    return `${amount} ${currency}`
  }
}

const shownPlaces = 6

/**
 * Cuts an exact decimal amount to six decimal places. It is never rounded up, and never cut to zero.
 *
 * @example truncateAmount('0.0392000019') // '0.0392'
 */
export function truncateAmount(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  const shown = fraction.slice(0, shownPlaces).replace(/0+$/, '')
  if (/^0*$/.test(whole) && shown === '' && /[1-9]/.test(fraction)) return amount
  return shown === '' ? whole : `${whole}.${shown}`
}
