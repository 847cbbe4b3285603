import type { LatchkeyError } from '@latchkey/protocol'
import type { Latchkey } from '../../latchkey.ts'
import { getAccount } from '../../state/wallet.ts'
import { swapAmountOf } from './figures.ts'
import { chosenSwapToken, nativeToken, type SwapQuote, type SwapState } from './state.ts'
import { swapError } from './swapError.ts'

/** What is missing or in the way before a swap can be looked over. */
export type SwapProblem =
  | { readonly code: 'select-token' }
  | { readonly code: 'enter-amount' }
  | { readonly code: 'incorrect-amount' }
  /** The price is on its way. */
  | { readonly code: 'waiting' }
  | { readonly code: 'failed'; readonly error: LatchkeyError }

/** What is missing or in the way; undefined when the swap can be looked over. The most obvious thing comes first. */
export function swapProblem(latchkey: Latchkey, state: SwapState): SwapProblem | undefined {
  const [from, to, amount] = [chosenSwapToken(state, 'from'), chosenSwapToken(state, 'to'), swapAmountOf(state)]
  if (from === undefined || to === undefined) return { code: 'select-token' }
  if (state.amount === '') return { code: 'enter-amount' }
  if (amount === undefined) return { code: 'incorrect-amount' }
  if (amount === 0n) return { code: 'enter-amount' }
  if (from.balance !== undefined && from.balance < amount) {
    return { code: 'failed', error: swapError('swap/insufficient-balance', { symbol: from.symbol }) }
  }
  if (state.quote.status === 'failed') return { code: 'failed', error: state.quote.error }
  const quote = knownQuote(state)
  if (quote === undefined) return { code: 'waiting' }
  if (lacksGas(latchkey, state, quote)) {
    const symbol = nativeToken(state)?.symbol ?? ''
    return { code: 'failed', error: swapError('swap/insufficient-gas', { symbol }) }
  }
  return undefined
}

/** The price that is on show: the last one while a fresher one about the same is on its way. */
export function knownQuote({ quote }: SwapState): SwapQuote | undefined {
  if (quote.status === 'ready') return quote.quote
  return quote.status === 'waiting' ? quote.last : undefined
}

/** Whether the fee cannot be paid. Somebody else may pay for a smart account. */
function lacksGas(latchkey: Latchkey, state: SwapState, { question, fee }: SwapQuote): boolean {
  const account = getAccount(latchkey)
  if (account.status === 'connected' && account.type === 'smartAccount') return false
  const balance = nativeToken(state)?.balance
  if (balance === undefined || fee === undefined) return false
  const given = question.from.address === undefined ? question.amount : 0n
  return balance < given + fee.value
}
