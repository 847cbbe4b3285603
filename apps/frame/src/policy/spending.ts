import type { AssetAmount } from './policy.ts'

/** The most that a request can take out of the wallet, as far as its bytes show. */
export type Spending = {
  /** Upper bounds: payments, allowances and fees. */
  readonly amounts: readonly AssetAmount[]
  /** Receivers and spenders (CAIP-10; `solana:address` on Solana). */
  readonly receivers: readonly string[]
  /** True if it may have further effects. */
  readonly isUnknown: boolean
}

export const nothingSpent: Spending = { amounts: [], receivers: [], isUnknown: false }
export const unknownSpending: Spending = { ...nothingSpent, isUnknown: true }

/** True if a request takes nothing out of the wallet, so that no policy concerns it. */
export function isHarmless({ amounts, receivers, isUnknown }: Spending): boolean {
  return !isUnknown && receivers.length === 0 && amounts.every(({ units }) => units === 0n)
}

/** Joins what several effects of one request take. */
export function joinSpendings(list: readonly Spending[]): Spending {
  return {
    amounts: list.flatMap(({ amounts }) => amounts),
    receivers: list.flatMap(({ receivers }) => receivers),
    isUnknown: list.some(({ isUnknown }) => isUnknown),
  }
}
