import type { LatchkeyError } from '@latchkey/protocol'
import type { Latchkey } from '../../instance/latchkey.ts'
import { accountStateOf } from '../../state/getAccount.ts'
import { getSwapLimits, parseSwapAmount } from './swapAmounts.ts'
import { chosenSwapToken, nativeToken, type SwapQuote, type SwapSide, type SwapState } from './state.ts'
import { swapError } from './swapError.ts'

/** A reason that a swap can't be reviewed. */
export type SwapProblem =
  | { readonly code: 'select-token' }
  | { readonly code: 'enter-amount' }
  | { readonly code: 'incorrect-amount' }
  /** The price is on its way. */
  | { readonly code: 'waiting' }
  | { readonly code: 'failed'; readonly error: LatchkeyError }

/** Returns the first reason that the swap can't be reviewed, or undefined if there is none. */
export function swapProblem(
  latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'wallet' | 'internal'>,
  state: SwapState,
): SwapProblem | undefined {
  const [from, to, amount] = [chosenSwapToken(state, 'from'), chosenSwapToken(state, 'to'), parseSwapAmount(state)]
  if (from === undefined || to === undefined) return { code: 'select-token' }
  if (state.amount === '') return { code: 'enter-amount' }
  if (amount === undefined) return { code: 'incorrect-amount' }
  if (amount === 0n) return { code: 'enter-amount' }
  const quote = getCurrentQuote(state)
  const given = state.exact === 'from' ? amount : quote && getSwapLimits(quote, state.slippage).maximum
  if (given !== undefined && from.balance !== undefined && from.balance < given) {
    return { code: 'failed', error: swapError('swap/insufficient-balance', { symbol: from.symbol }) }
  }
  if (state.quote.status === 'failed') return { code: 'failed', error: state.quote.error }
  if (quote === undefined) return { code: 'waiting' }
  if (lacksGas(latchkey, state, quote)) {
    const symbol = nativeToken(state)?.symbol ?? ''
    return { code: 'failed', error: swapError('swap/insufficient-gas', { symbol }) }
  }
  return undefined
}

/** Returns the displayed quote: the last one while its refresh is pending. */
export function getCurrentQuote({ quote }: SwapState): SwapQuote | undefined {
  if (quote.status === 'ready') return quote.quote
  return quote.status === 'waiting' ? quote.last : undefined
}

/** Returns the amount of one side in base units: the entered one, or that of the displayed quote. */
export function getSwapUnits(state: SwapState, side: SwapSide): bigint | undefined {
  if (side === state.exact) return parseSwapAmount(state)
  const quote = getCurrentQuote(state)
  return side === 'from' ? quote?.fromAmount : quote?.toAmount
}

/** True if the balance does not cover the fee. Smart accounts are exempt, because a paymaster may pay. */
function lacksGas(
  latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'wallet' | 'internal'>,
  state: SwapState,
  quote: SwapQuote,
): boolean {
  const account = accountStateOf(latchkey)
  if (account.status === 'connected' && account.type === 'smartAccount') return false
  const balance = nativeToken(state)?.balance
  const { request, fee } = quote
  if (balance === undefined || fee === undefined) return false
  const given = request.from.address === undefined ? getSwapLimits(quote, state.slippage).maximum : 0n
  return balance < given + fee.value
}
