import type { Decline } from './store.ts'

/** The cards of the sandbox, and what becomes of a payment with each. */
export const testCards = [
  { number: '4242 4242 4242 4242', outcome: 'paid' },
  { number: '4000 0000 0000 3220', outcome: 'challenged' },
  { number: '4000 0000 0000 0002', outcome: 'declined' },
  { number: '4000 0000 0000 9995', outcome: 'funds' },
  { number: '4000 0000 0000 0069', outcome: 'expired' },
] as const satisfies readonly { number: string; outcome: 'paid' | 'challenged' | Decline }[]

/** The code that the sandbox's bank sends. */
export const bankCode = '123456'

/** A field of the form that is not filled in as it should be. */
export type CardField = 'number' | 'expiry' | 'cvc'

/** The first field of a card that cannot be right. */
export function wrongField(
  { number, expiry, cvc }: Readonly<Record<CardField, string>>,
  now: number,
): CardField | undefined {
  if (!isCardNumber(digitsOf(number))) return 'number'
  if (!isAhead(expiry, now)) return 'expiry'
  return /^\d{3,4}$/.test(cvc.trim()) ? undefined : 'cvc'
}

/** What becomes of a payment with a card. One that is not of the sandbox is not taken: it may be somebody's. */
export function outcomeOf(number: string): 'paid' | 'challenged' | Decline {
  return testCards.find((card) => digitsOf(card.number) === digitsOf(number))?.outcome ?? 'strange'
}

function digitsOf(number: string): string {
  return number.replace(/[\s-]/g, '')
}

/** Luhn's check, which every card number passes. */
function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Whether a month, written `12/34`, is not over. */
function isAhead(expiry: string, now: number): boolean {
  const [, month = '', year = ''] = /^\s*(0?[1-9]|1[0-2])\s*\/\s*(?:20)?(\d{2})\s*$/.exec(expiry) ?? []
  if (month === '') return false
  return now < Date.UTC(2000 + Number(year), Number(month))
}
