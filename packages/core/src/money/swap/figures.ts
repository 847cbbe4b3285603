import { parseAmount } from '../../format/amount.ts'
import type { SwapQuote, SwapState, SwapToken } from './state.ts'
import { chosenSwapToken, nativeToken } from './state.ts'

/** Percent that may be chosen for the slippage. */
export const slippageBounds = { least: 0.05, most: 50, warnsAbove: 5 } as const

/** From how many percent on a price impact is worth a warning. */
export const impactWarnsAbove = 5

const wholePercent = 10_000n

/**
 * The least that a swap gives before it reverts, cut down to whole base units.
 *
 * @param slippage percent, two places behind the point at most
 */
export function minimumOf(toAmount: bigint, slippage: number): bigint {
  return (toAmount * (wholePercent - BigInt(Math.round(slippage * 100)))) / wholePercent
}

/** What was typed in base units; undefined while it is no amount. */
export function swapAmountOf(state: SwapState): bigint | undefined {
  const token = chosenSwapToken(state, 'from')
  if (token === undefined || !/^\d+(\.\d*)?$|^\.\d+$/.test(state.amount)) return undefined
  const [whole = '', fraction = ''] = state.amount.split('.')
  return parseAmount(`${whole === '' ? '0' : whole}.${fraction === '' ? '0' : fraction}`, token.decimals)
}

/** Dollars for an amount, for show only; undefined when nobody knows. */
export function swapDollarsOf(token: SwapToken | undefined, units: bigint | undefined): number | undefined {
  if (token?.price === undefined || units === undefined) return undefined
  return (Number(units) / 10 ** token.decimals) * token.price
}

/** Dollars for what the network takes. */
export function feeDollars(state: SwapState, quote: SwapQuote): number | undefined {
  return swapDollarsOf(nativeToken(state), quote.fee?.value)
}

/** How much worse the price is, in percent: told by the server, else by what both amounts are worth. */
export function impactOf(state: SwapState, { impact, question, toAmount }: SwapQuote): number | undefined {
  if (impact !== undefined) return impact
  const given = swapDollarsOf(chosenSwapToken(state, 'from'), question.amount)
  const got = swapDollarsOf(chosenSwapToken(state, 'to'), toAmount)
  if (given === undefined || got === undefined || given === 0) return undefined
  return Math.max(0, ((given - got) / given) * 100)
}
