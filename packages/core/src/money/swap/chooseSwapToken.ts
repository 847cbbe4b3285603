import { inputError } from '@latchkey/protocol'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { unitsForDollars } from '../send/dollars.ts'
import { parseUnits } from '../send/validateSend.ts'
import { getAutomaticSlippage, slippageBounds } from './swapAmounts.ts'
import { readToken } from './openSwap.ts'
import { requestQuote } from './quotes.ts'
import { chosenSwapToken, defaultSlippage, swapSessionOf, type SwapSide, type SwapToken } from './state.ts'
import { getCurrentQuote } from './swapProblem.ts'

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
  store.setState({ [side]: id, ...(side === 'from' && { isMax: false, dollars: undefined }) })
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
  store.setState({ amount: text.trim().slice(0, longestAmount), exact: 'from', isMax: false, dollars: undefined })
  requestQuote(latchkey)
}

/**
 * Sets the entered amount to receive. The quote then has the amount to give. Does nothing if the exchange does not quote
 * it (`quotesOutput` of the state).
 *
 * @example setSwapReceivedAmount(latchkey, '100')
 */
export function setSwapReceivedAmount(latchkey: Latchkey, text: string): void {
  const { store } = swapSessionOf(latchkey)
  if (!store.getState().quotesOutput) return
  store.setState({ amount: text.trim().slice(0, longestAmount), exact: 'to', isMax: false, dollars: undefined })
  requestQuote(latchkey)
}

/**
 * Sets the amount to give in dollars. Without a known price, the amount stays empty.
 *
 * @example setSwapAmountInDollars(latchkey, '20')
 */
export function setSwapAmountInDollars(latchkey: Latchkey, text: string): void {
  const { store } = swapSessionOf(latchkey)
  const token = chosenSwapToken(store.getState(), 'from')
  const dollars = text.trim().slice(0, longestAmount)
  store.setState({ amount: amountForDollars(dollars, token), exact: 'from', isMax: false, dollars })
  requestQuote(latchkey)
}

/** An invalid number is kept, so that it is reported as invalid. */
function amountForDollars(dollars: string, token: SwapToken | undefined): string {
  if (dollars === '' || token?.price === undefined) return ''
  if (parseUnits(dollars, 2) === undefined) return dollars
  return formatAmount(unitsForDollars(dollars, token.decimals, token.price), token.decimals)
}

/**
 * Sets the amount to a share of the balance. For the native currency, it is a share of what the known fee leaves.
 *
 * @param percent from 1 to 99
 * @example setSwapShare(latchkey, 50)
 */
export function setSwapShare(latchkey: Latchkey, percent: number): void {
  const state = swapSessionOf(latchkey).store.getState()
  const token = chosenSwapToken(state, 'from')
  if (token?.balance === undefined) return
  const kept = token.address === undefined ? (getCurrentQuote(state)?.fee?.most ?? 0n) : 0n
  const rest = token.balance > kept ? token.balance - kept : 0n
  setSwapAmount(latchkey, formatAmount((rest * BigInt(Math.trunc(percent))) / 100n, token.decimals))
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
  const amount = formatAmount(token.balance, token.decimals)
  store.setState({ amount, exact: 'from', isMax: true, dollars: undefined })
  requestQuote(latchkey)
}

/**
 * Swaps the two tokens. The amount is kept as the amount to give, truncated to the decimals of its token.
 *
 * @example reverseSwap(latchkey)
 */
export function reverseSwap(latchkey: Latchkey): void {
  const { store } = swapSessionOf(latchkey)
  const { from, to } = store.getState()
  store.setState({ from: to, to: from, exact: 'from', isMax: false, dollars: undefined })
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
  const slippage = Math.round(percent * 100) / 100
  swapSessionOf(latchkey).store.setState({ slippage, isSlippageAutomatic: false })
}

/**
 * Lets the slippage follow the quote again: 1 percent, and up to 3 for small amounts.
 *
 * @example setAutomaticSlippage(latchkey)
 */
export function setAutomaticSlippage(latchkey: Latchkey): void {
  const { store } = swapSessionOf(latchkey)
  const state = store.getState()
  const quote = getCurrentQuote(state)
  const slippage = quote === undefined ? defaultSlippage : getAutomaticSlippage(state, quote)
  store.setState({ slippage, isSlippageAutomatic: true })
}
