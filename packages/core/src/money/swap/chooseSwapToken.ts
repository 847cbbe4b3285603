import { inputError } from '@latchkey/protocol'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { slippageBounds } from './swapAmounts.ts'
import { readToken } from './openSwap.ts'
import { requestQuote } from './quotes.ts'
import { chosenSwapToken, swapSessionOf, type SwapSide } from './state.ts'

/** The maximum length of an entered amount. */
const longestAmount = 80

/**
 * Selects a token of the list. Selecting the token of the other side swaps the two.
 *
 * @param id CAIP-10
 * @example chooseSwapToken(latchkey, 'to', tokenId)
 */
export function chooseSwapToken(latchkey: Latchkey, side: SwapSide, id: string): void {
  const { store } = swapSessionOf(latchkey)
  const state = store.getState()
  const other: SwapSide = side === 'from' ? 'to' : 'from'
  if (!state.tokens.some((token) => token.id === id) || state[side] === id) return
  if (state[other] === id) return reverseSwap(latchkey)
  store.setState({ [side]: id, ...(side === 'from' && { isMax: false }) })
  requestQuote(latchkey)
  void readToken(latchkey, side)
}

/**
 * Sets the entered amount to give. A quote is requested after the last keystroke.
 *
 * @example setSwapAmount(latchkey, '1.5')
 */
export function setSwapAmount(latchkey: Latchkey, text: string): void {
  const { store } = swapSessionOf(latchkey)
  store.setState({ amount: text.trim().slice(0, longestAmount), isMax: false })
  requestQuote(latchkey)
}

/**
 * Sets the amount to the whole balance. For the native currency, the fee is subtracted once the quote has it.
 *
 * @example setSwapMax(latchkey)
 */
export function setSwapMax(latchkey: Latchkey): void {
  const { store } = swapSessionOf(latchkey)
  const token = chosenSwapToken(store.getState(), 'from')
  if (token?.balance === undefined) return
  store.setState({ amount: formatAmount(token.balance, token.decimals), isMax: true })
  requestQuote(latchkey)
}

/**
 * Swaps the two tokens. The amount is kept, truncated to the decimals of the other token.
 *
 * @example reverseSwap(latchkey)
 */
export function reverseSwap(latchkey: Latchkey): void {
  const { store } = swapSessionOf(latchkey)
  const { from, to } = store.getState()
  store.setState({ from: to, to: from, isMax: false })
  requestQuote(latchkey)
}

/**
 * Sets the slippage in percent, with at most two decimals [R9.5.1].
 *
 * @throws LatchkeyError `amount/invalid` if it is below 0.05 or above 50
 * @example setSlippage(latchkey, 0.5)
 */
export function setSlippage(latchkey: Latchkey, percent: number): void {
  const { least, most } = slippageBounds
  if (!(percent >= least && percent <= most)) throw inputError('amount/invalid', { value: String(percent) })
  swapSessionOf(latchkey).store.setState({ slippage: Math.round(percent * 100) / 100 })
}
