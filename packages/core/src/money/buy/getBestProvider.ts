import { getBuySelection } from './buyProblem.ts'
import type { BuyChoice, BuyQuote, BuyState } from './state.ts'

/** Returns the form as it would be with another provider: the same choice, as far as it offers it. */
export function withProvider(state: BuyState, provider: string, choice: BuyChoice | undefined): BuyState {
  if (provider === state.provider) return state
  return { ...state, provider, payments: choice?.payments ?? [], purchases: choice?.purchases ?? [] }
}

/** Returns the price of one unit of the bought currency, with all fees, for display only. */
export function getBuyRate({ total, purchase }: BuyQuote): number {
  return Number(total.amount) / Number(purchase.amount)
}

/** Returns the id of the provider with the lowest price, if several providers have one. */
export function getBestProvider({ providers, offers }: BuyState): string | undefined {
  const quoted = providers.flatMap(({ id }) => {
    const offer = offers[id]
    return offer?.status === 'ready' ? [{ id, rate: getBuyRate(offer.quote) }] : []
  })
  if (quoted.length < 2) return undefined
  return quoted.reduce((best, other) => (other.rate < best.rate ? other : best)).id
}

/** True if both forms are for the same currencies. */
export function isSameChoice(one: BuyState, other: BuyState): boolean {
  const [first, second] = [getBuySelection(one), getBuySelection(other)]
  return first.payment?.id === second.payment?.id && first.purchase?.id === second.purchase?.id
}
