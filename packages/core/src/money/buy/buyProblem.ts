import { parseAmount } from '../../format/amount.ts'
import type { BuyLimit, BuyMethod, BuyProvider, BuyState, PaymentCurrency, PurchaseCurrency } from './state.ts'

/** The reason that a purchase can't continue yet. */
export type BuyProblem =
  | { readonly kind: 'amount-missing' }
  /** Not a decimal number, or finer than a hundredth. */
  | { readonly kind: 'amount-invalid' }
  | { readonly kind: 'amount-low'; readonly min: string; readonly currency: string }
  | { readonly kind: 'amount-high'; readonly max: string; readonly currency: string }

/** Amounts of money have two decimals. */
const places = 2
const typed = /^\d{1,15}(?:\.\d{0,2})?$/

/** The chosen provider, currency and asset. */
export function getBuySelection({ providers, provider, payments, payment, purchases, purchase }: BuyState): {
  provider: BuyProvider | undefined
  payment: PaymentCurrency | undefined
  purchase: PurchaseCurrency | undefined
} {
  return {
    provider: providers.find(({ id }) => id === provider),
    payment: payments.find(({ id }) => id === payment),
    purchase: purchases.find(({ id }) => id === purchase),
  }
}

/** Returns the problem with the amount, if any. */
export function buyProblem(state: BuyState): BuyProblem | undefined {
  const { payment } = getBuySelection(state)
  const limits = getUsableLimits(state)
  if (state.amount === '') return { kind: 'amount-missing' }
  if (!typed.test(state.amount)) return { kind: 'amount-invalid' }
  const cents = centsOf(state.amount)
  if (cents === 0n) return { kind: 'amount-missing' }
  if (payment === undefined || findFittingLimit(limits, cents) !== undefined) return undefined
  const { id: currency } = payment
  const [lowest] = limits.toSorted((one, other) => compare(one.min, other.min))
  const [highest] = limits.toSorted((one, other) => compare(other.max, one.max))
  if (lowest !== undefined && cents < centsOf(lowest.min)) return { kind: 'amount-low', min: lowest.min, currency }
  return { kind: 'amount-high', max: highest?.max ?? '', currency }
}

/** Returns the chosen payment method, or else the first that accepts the amount. */
export function getPaymentMethod(state: BuyState): BuyMethod | undefined {
  const { payment } = getBuySelection(state)
  if (payment === undefined || buyProblem(state) !== undefined) return undefined
  return findFittingLimit(getUsableLimits(state), centsOf(state.amount))?.method
}

/** The limits of the chosen payment method. Those of all methods if none is chosen, or the provider lacks it. */
function getUsableLimits(state: BuyState): readonly BuyLimit[] {
  const { limits = [] } = getBuySelection(state).payment ?? {}
  const own = limits.filter(({ method }) => method === state.method)
  return own.length === 0 ? limits : own
}

/** The multiple of the lowest limit from which on amounts are suggested. */
const suggestedFrom = 5n
const mostSuggested = 3

/**
 * Returns round amounts to suggest, within the limits of the provider: 50, 100 and 200 if the lowest limit is 10.
 *
 * @example getQuickAmounts(buyState(latchkey).getState()) // ['50', '100', '200']
 */
export function getQuickAmounts(state: BuyState): readonly string[] {
  const limits = getUsableLimits(state)
  const [lowest] = limits.map(({ min }) => centsOf(min)).toSorted((one, other) => (one < other ? -1 : 1))
  if (lowest === undefined) return []
  const found: bigint[] = []
  for (let power = 1n; power < 10n ** 15n && found.length < mostSuggested; power *= 10n) {
    for (const digit of [1n, 2n, 5n]) {
      const cents = digit * power * 100n
      if (cents >= suggestedFrom * lowest && findFittingLimit(limits, cents) !== undefined) found.push(cents)
    }
  }
  return found.slice(0, mostSuggested).map((cents) => String(cents / 100n))
}

/** Formats an amount for a provider, with two decimals. */
export function exactAmount(amount: string): string {
  const cents = centsOf(amount)
    .toString()
    .padStart(places + 1, '0')
  return `${cents.slice(0, -places)}.${cents.slice(-places)}`
}

function findFittingLimit(limits: readonly BuyLimit[], cents: bigint): BuyLimit | undefined {
  return limits.find(({ min, max }) => cents >= centsOf(min) && cents <= centsOf(max))
}

function centsOf(amount: string): bigint {
  return parseAmount(amount.replace(/\.$/, ''), places)
}

function compare(one: string, other: string): number {
  return centsOf(one) < centsOf(other) ? -1 : 1
}
