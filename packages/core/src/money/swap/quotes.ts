import { isLatchkeyError, httpError, type LatchkeyError } from '@latchkey/protocol'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { fetchSwapQuote } from './fetchSwapQuote.ts'
import { getAutomaticSlippage, parseSwapAmount } from './swapAmounts.ts'
import {
  chosenSwapToken,
  swapSessionOf,
  nativeToken,
  type SwapQuoteRequest,
  type SwapQuote,
  type SwapState,
} from './state.ts'

/** The delay after the last of several quick changes before a quote is requested. */
const debounceMilliseconds = 150

/** Returns the quote request, if the form is complete. */
function quoteRequestOf(state: SwapState): SwapQuoteRequest | undefined {
  const { account, chainId } = state
  const [from, to, amount] = [chosenSwapToken(state, 'from'), chosenSwapToken(state, 'to'), parseSwapAmount(state)]
  if (account === undefined || chainId === undefined || from === undefined || to === undefined) return undefined
  if (amount === undefined || amount === 0n || from.id === to.id) return undefined
  return { account, chainId, from, to, amount, exact: state.exact }
}

/** True if two requests are for the same quote. */
function isSameQuoteRequest(one: SwapQuoteRequest | undefined, other: SwapQuoteRequest | undefined): boolean {
  return quoteRequestKey(one) === quoteRequestKey(other)
}

function quoteRequestKey(request: SwapQuoteRequest | undefined): string {
  if (request === undefined) return ''
  const { account, chainId, from, to, amount, exact } = request
  return [account, chainId, from.id, to.id, amount, exact].join(' ')
}

/** Requests a quote at once, or after the last of several quick changes. An outdated quote is removed at once. */
export function requestQuote(latchkey: Latchkey): void {
  const session = swapSessionOf(latchkey)
  cancelQuote(latchkey)
  if (markQuotePending(latchkey) === undefined) return
  const { clock } = latchkey.internal
  const isFirstChange = clock.now() - session.changedAt >= debounceMilliseconds
  session.changedAt = clock.now()
  if (isFirstChange) return void refreshQuote(latchkey)
  session.stopWaiting = clock.after(debounceMilliseconds, () => void refreshQuote(latchkey))
}

/**
 * Requests a quote now. It aborts the previous request, and drops responses to outdated requests.
 *
 * @throws never; the state becomes `failed` with the error
 * @example await refreshQuote(latchkey)
 */
export async function refreshQuote(latchkey: Latchkey): Promise<void> {
  const session = swapSessionOf(latchkey)
  cancelQuote(latchkey)
  const request = markQuotePending(latchkey)
  if (request === undefined) return
  const asking = new AbortController()
  session.asking = asking
  const isStale = (): boolean =>
    asking.signal.aborted || !isSameQuoteRequest(request, quoteRequestOf(session.store.getState()))
  try {
    const quote = await fetchSwapQuote(latchkey, request, asking.signal)
    if (isStale()) return
    const state = session.store.getState()
    const slippage = state.isSlippageAutomatic ? getAutomaticSlippage(state, quote) : state.slippage
    session.store.setState({ quote: { status: 'ready', quote }, slippage })
    await fitToBalance(latchkey, quote)
  } catch (error) {
    if (isStale()) return
    session.store.setState({ quote: { status: 'failed', error: toLatchkeyError(error) } })
  }
}

/** Aborts the pending quote request. */
export function cancelQuote(latchkey: Latchkey): void {
  const session = swapSessionOf(latchkey)
  session.stopWaiting()
  session.asking?.abort()
  session.asking = undefined
}

/** Marks the quote as pending, or as empty if the form is incomplete. */
function markQuotePending(latchkey: Latchkey): SwapQuoteRequest | undefined {
  const { store } = swapSessionOf(latchkey)
  const state = store.getState()
  const request = quoteRequestOf(state)
  if (request === undefined) {
    store.setState({ quote: { status: 'none' } })
    return undefined
  }
  const { quote } = state
  const known = quote.status === 'ready' ? quote.quote : quote.status === 'waiting' ? quote.last : undefined
  const last = isSameQuoteRequest(known?.request, request) ? known : undefined
  store.setState({ quote: { status: 'waiting', last } })
  return request
}

/** Subtracts the fee from the amount if it is the whole balance of the native currency. */
async function fitToBalance(latchkey: Latchkey, { request, fee }: SwapQuote): Promise<void> {
  const { store } = swapSessionOf(latchkey)
  const state = store.getState()
  const balance = nativeToken(state)?.balance
  if (!state.isMax || request.from.address !== undefined || balance === undefined || fee === undefined) return
  if (request.amount + fee.most <= balance) return
  const rest = balance > fee.most ? balance - fee.most : 0n
  store.setState({ amount: formatAmount(rest, request.from.decimals) })
  await refreshQuote(latchkey)
}

/** Converts a caught value to a LatchkeyError. */
export function toLatchkeyError(error: unknown): LatchkeyError {
  if (isLatchkeyError(error)) return error
  return httpError('http/invalid-response', { subject: 'swaps' }, { cause: error })
}
