import type { BuyAmount } from '@latchkey/core/money'

/** Money as a language writes it, currency and all; as it came where the currency is none that is known. */
export function moneyText(locale: string | undefined, { amount, currency }: BuyAmount): string {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(amount))
  } catch {
    return `${amount} ${currency}`
  }
}

const shownPlaces = 6

/**
 * An exact decimal amount, cut off behind six places so that it fits: never rounded up, and never to nothing.
 *
 * @example cutAmount('0.0392000019') // '0.0392'
 */
export function cutAmount(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  const kept = fraction.slice(0, shownPlaces).replace(/0+$/, '')
  if (/^0*$/.test(whole) && kept === '' && /[1-9]/.test(fraction)) return amount
  return kept === '' ? whole : `${whole}.${kept}`
}
