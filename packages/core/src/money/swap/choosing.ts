import { LatchkeyError } from '@latchkey/protocol'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../latchkey.ts'
import { slippageBounds } from './figures.ts'
import { readToken } from './openSwap.ts'
import { requestQuote } from './quoting.ts'
import { chosenSwapToken, deskOf, type SwapSide } from './state.ts'

/** How many digits may be typed. */
const longestAmount = 80

/**
 * Chooses a token of the list. Choosing the one of the other side turns the two round.
 *
 * @param id CAIP-10
 */
export function chooseSwapToken(latchkey: Latchkey, side: SwapSide, id: string): void {
  const { store } = deskOf(latchkey)
  const state = store.getState()
  const other: SwapSide = side === 'from' ? 'to' : 'from'
  if (!state.tokens.some((token) => token.id === id) || state[side] === id) return
  if (state[other] === id) return turnSwap(latchkey)
  store.setState({ [side]: id, ...(side === 'from' && { isMax: false }) })
  requestQuote(latchkey)
  void readToken(latchkey, side)
}

/** Gives another amount, as it was typed; a price is asked for once typing rests. */
export function setSwapAmount(latchkey: Latchkey, text: string): void {
  const { store } = deskOf(latchkey)
  store.setState({ amount: text.trim().slice(0, longestAmount), isMax: false })
  requestQuote(latchkey)
}

/**
 * Gives all that there is: of the native currency what is left beside the fee, which is known with the price.
 */
export function setSwapMax(latchkey: Latchkey): void {
  const { store } = deskOf(latchkey)
  const token = chosenSwapToken(store.getState(), 'from')
  if (token?.balance === undefined) return
  store.setState({ amount: formatAmount(token.balance, token.decimals), isMax: true })
  requestQuote(latchkey)
}

/** Gives what was wanted and wants what was given. The amount stays, cut to the digits of the other token. */
export function turnSwap(latchkey: Latchkey): void {
  const { store } = deskOf(latchkey)
  const { from, to } = store.getState()
  store.setState({ from: to, to: from, isMax: false })
  requestQuote(latchkey)
}

/**
 * How much worse the price may become, in percent, two places behind the point [R9.5.1].
 *
 * @throws LatchkeyError `amount/invalid` beyond 0.05 and 50.
 */
export function setSlippage(latchkey: Latchkey, percent: number): void {
  const { least, most } = slippageBounds
  if (!(percent >= least && percent <= most)) throw new LatchkeyError('amount/invalid', { value: String(percent) })
  deskOf(latchkey).store.setState({ slippage: Math.round(percent * 100) / 100 })
}
