import type { DeclineReason } from './sandboxStore.ts'

/** The test cards of the sandbox, with the outcome of a payment with each. */
export const testCards = [
  { number: '4242 4242 4242 4242', outcome: 'paid' },
  { number: '4000 0000 0000 3220', outcome: 'challenged' },
  { number: '4000 0000 0000 0002', outcome: 'declined' },
  { number: '4000 0000 0000 9995', outcome: 'funds' },
  { number: '4000 0000 0000 0069', outcome: 'expired' },
] as const satisfies readonly { number: string; outcome: 'paid' | 'challenged' | DeclineReason }[]

/** The code that the sandbox's bank always sends. */
export const bankCode = '123456'

/** A field of the card form. */
export type CardField = 'number' | 'expiry' | 'cvc'

/** Finds the first invalid field of a card. */
export function findInvalidField(
  { number, expiry, cvc }: Readonly<Record<CardField, string>>,
  now: number,
): CardField | undefined {
  if (!isCardNumber(toDigits(number))) return 'number'
  if (!isUnexpired(expiry, now)) return 'expiry'
  return /^\d{3,4}$/.test(cvc.trim()) ? undefined : 'cvc'
}

/** Gets the outcome of a payment. Cards that aren't test cards are rejected, because they may be real. */
export function getCardOutcome(number: string): 'paid' | 'challenged' | DeclineReason {
  return testCards.find((card) => toDigits(card.number) === toDigits(number))?.outcome ?? 'strange'
}

function toDigits(number: string): string {
  return number.replace(/[\s-]/g, '')
}

/** Checks length and Luhn checksum. */
function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** True if a month, written `12/34`, has not ended. */
function isUnexpired(expiry: string, now: number): boolean {
  const [, month = '', year = ''] = /^\s*(0?[1-9]|1[0-2])\s*\/\s*(?:20)?(\d{2})\s*$/.exec(expiry) ?? []
  if (month === '') return false
  return now < Date.UTC(2000 + Number(year), Number(month))
}
