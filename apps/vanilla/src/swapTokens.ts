import type { Latchkey } from '@latchkey/core'
import {
  approveSwap,
  chooseSwapToken,
  openSwap,
  refreshQuote,
  reviewSwap,
  setSwapAmount,
  swapNow,
  swapState,
  type SwapOrder,
} from '@latchkey/core/money'

/**
 * Swaps native currency for a token by driving the swap machine of core.
 *
 * @param symbol the symbol of the token to receive
 * @returns the outcome as text
 */
export async function swapTokens(latchkey: Latchkey, amount: string, symbol: string): Promise<string> {
  await openSwap(latchkey)
  const { tokens, error } = swapState(latchkey).getState()
  const token = tokens.find((each) => each.symbol === symbol)
  if (token === undefined) return error?.message ?? `Unknown token: ${symbol}`
  chooseSwapToken(latchkey, 'to', token.id)
  setSwapAmount(latchkey, amount)
  await refreshQuote(latchkey)
  const { quote } = swapState(latchkey).getState()
  if (quote.status !== 'ready') return quote.status === 'failed' ? quote.error.message : 'No quote'
  await reviewSwap(latchkey).prepared
  if (needsApproval(orderOf(latchkey))) await approveSwap(latchkey)
  const sent = await swapNow(latchkey)
  if (sent === undefined) return describeOrder(orderOf(latchkey))
  const outcome = await sent.outcome
  return outcome.status === 'mined' ? `Swapped ${amount} to ${symbol}` : `Swap: ${outcome.status}`
}

function orderOf(latchkey: Latchkey): SwapOrder {
  return swapState(latchkey).getState().order
}

function needsApproval(order: SwapOrder): boolean {
  return order.status === 'ready' && order.step === 'approve'
}

function describeOrder(order: SwapOrder): string {
  const error = order.status === 'ready' || order.status === 'failed' ? order.error : undefined
  return error?.message ?? 'Nothing was sent.'
}
