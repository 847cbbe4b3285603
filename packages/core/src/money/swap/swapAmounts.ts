import { parseUnits } from '../send/validateSend.ts'
import { toDollars } from '../send/dollars.ts'
import type { SwapLimits, SwapQuote, SwapQuoteRequest, SwapState, SwapToken } from './state.ts'
import { chosenSwapToken, defaultSlippage, nativeToken } from './state.ts'

/** The allowed slippage in percent. */
export const slippageBounds = { least: 0.05, most: 50, warnsAbove: 5 } as const

/** The price impact in percent from which on users are warned. */
export const priceImpactWarningPercent = 5

/** The price impact in percent above which users confirm a swap with a typed word. */
export const priceImpactConfirmPercent = 15

const wholePercent = 10_000n

/** The amounts of a quote, and the side that is exact. */
type QuotedAmounts = Pick<SwapQuote, 'fromAmount' | 'toAmount'> & { request: Pick<SwapQuoteRequest, 'exact'> }

/**
 * Returns the limits beyond which a swap reverts. The slippage applies to the side whose amount is not exact. Its share is
 * rounded down to base units: a minimum that is rounded down would be 0 for one unit of a token without decimals.
 *
 * @param slippage percent, with at most two decimals
 */
export function getSwapLimits(quote: QuotedAmounts, slippage: number): SwapLimits {
  const { request, fromAmount, toAmount } = quote
  const hundredths = BigInt(Math.round(slippage * 100))
  return request.exact === 'from'
    ? { maximum: fromAmount, minimum: toAmount - (toAmount * hundredths) / wholePercent }
    : { maximum: fromAmount + (fromAmount * hundredths) / wholePercent, minimum: toAmount }
}

/** True if a quote is beyond the limits. */
export function isBeyondLimits({ fromAmount, toAmount }: SwapQuote, { maximum, minimum }: SwapLimits): boolean {
  return fromAmount > maximum || toAmount < minimum
}

/** Parses the entered amount to base units of its token. Returns undefined if it is not an amount. */
export function parseSwapAmount(state: SwapState): bigint | undefined {
  const token = chosenSwapToken(state, state.exact)
  if (token === undefined || !/^\d+(\.\d*)?$|^\.\d+$/.test(state.amount)) return undefined
  const [whole = '', fraction = ''] = state.amount.split('.')
  return parseUnits(`${whole === '' ? '0' : whole}.${fraction === '' ? '0' : fraction}`, token.decimals)
}

/** The highest slippage in percent that is set automatically. */
const highestAutomaticSlippage = 3

/**
 * Returns the slippage in percent for a quote: 1, and up to 3 for small amounts. A failed swap costs the network fee, so a
 * slippage of up to the fee's share of the amount costs less than a failure.
 */
export function getAutomaticSlippage(state: SwapState, quote: SwapQuote): number {
  const fee = swapFeeInDollars(state, quote)
  const given = swapAmountInDollars(chosenSwapToken(state, 'from'), quote.fromAmount)
  if (fee === undefined || given === undefined || given === 0) return defaultSlippage
  const percent = Math.round((fee / given) * 1_000) / 10
  return Math.min(highestAutomaticSlippage, Math.max(defaultSlippage, percent))
}

/** Returns the value of an amount in dollars, for display only, or undefined if the price is unknown. */
export function swapAmountInDollars(token: SwapToken | undefined, units: bigint | undefined): number | undefined {
  if (token?.price === undefined || units === undefined) return undefined
  return toDollars(units, token.decimals, token.price)
}

/** Returns the network fee in dollars. */
export function swapFeeInDollars(state: SwapState, quote: SwapQuote): number | undefined {
  return swapAmountInDollars(nativeToken(state), quote.fee?.value)
}

/**
 * Returns the price impact in percent: that of the pools, or the share of the value in dollars that is lost, whichever is
 * higher. Pools with a wrong price have a small impact of their own, because a tiny swap loses as much.
 *
 * @returns undefined if neither is known
 */
export function getPriceImpact(state: SwapState, { impact, fromAmount, toAmount }: SwapQuote): number | undefined {
  const known = [impact, getValueLoss(state, { fromAmount, toAmount })].filter((each) => each !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

/** Returns the lost share of the value in percent, or undefined if a price is unknown. A price of 0 is unknown. */
function getValueLoss(
  state: SwapState,
  { fromAmount, toAmount }: Pick<SwapQuote, 'fromAmount' | 'toAmount'>,
): number | undefined {
  const [from, to] = [chosenSwapToken(state, 'from'), chosenSwapToken(state, 'to')]
  const given = swapAmountInDollars(from, fromAmount)
  const got = swapAmountInDollars(to, toAmount)
  if (given === undefined || got === undefined || !(given > 0) || !((to?.price ?? 0) > 0)) return undefined
  return Math.max(0, ((given - got) / given) * 100)
}
