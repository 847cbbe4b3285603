import type { Latchkey } from '../../instance/latchkey.ts'
import { fetchSwapQuote } from './fetchSwapQuote.ts'
import { planCalls } from './planCalls.ts'
import { getSwapLimits, isBeyondLimits } from './swapAmounts.ts'
import { toLatchkeyError, cancelQuote } from './quotes.ts'
import { swapSessionOf, type SwapOrder, type SwapQuote, type SwapState } from './state.ts'
import { getCurrentQuote, swapProblem } from './swapProblem.ts'
import { swapError } from './swapError.ts'

/** The age up to which an approved quote is kept. The server rejects quotes after five minutes. */
const approvedQuoteMilliseconds = 240_000

/**
 * Prepares the swap for review: checks the allowance, builds the transactions and verifies them. Does nothing while
 * something is missing. While the wallet is asked, the current order stays.
 *
 * @returns if there is an order to show, and a promise for its preparation
 * @throws never: the order becomes `failed`, with the error
 * @example if (reviewSwap(latchkey).isShown) show('the order')
 */
export function reviewSwap(latchkey: Latchkey): SwapReview {
  const { store } = swapSessionOf(latchkey)
  const state = store.getState()
  const acceptedQuote = getCurrentQuote(state)
  const isPending = state.order.status === 'awaiting-wallet' || state.order.status === 'approving'
  if (isPending) return { isShown: true, prepared: Promise.resolve() }
  if (acceptedQuote === undefined || swapProblem(latchkey, state) !== undefined) {
    return { isShown: false, prepared: Promise.resolve() }
  }
  cancelQuote(latchkey)
  store.setState({
    quote: { status: 'ready', quote: acceptedQuote },
    order: { status: 'checking', acceptedQuote },
    doneSteps: [],
  })
  return { isShown: true, prepared: prepareOrder(latchkey, acceptedQuote) }
}

/** The start of a review. */
export type SwapReview = {
  /** True if the state has an order to show. */
  readonly isShown: boolean
  /** Resolves when the order is `ready` or `failed`. */
  readonly prepared: Promise<void>
}

/**
 * Prepares the order again at the current price. The displayed order stays until it is ready.
 *
 * @throws never
 */
export async function refreshOrder(latchkey: Latchkey): Promise<void> {
  const { store, generation } = swapSessionOf(latchkey)
  const before = store.getState().order
  // A pending wallet request must not change.
  if (before.status !== 'ready' && before.status !== 'failed') return
  if (before.status === 'failed') store.setState({ order: { status: 'checking', acceptedQuote: before.acceptedQuote } })
  const shown = store.getState().order
  const isLeft = (): boolean => swapSessionOf(latchkey).generation !== generation || store.getState().order !== shown
  try {
    const { request } = before.acceptedQuote
    const fresh = await fetchSwapQuote(latchkey, request, new AbortController().signal)
    if (isLeft()) return
    store.setState({ quote: { status: 'ready', quote: fresh } })
    const hasMoved = isBeyondLimits(fresh, getSwapLimits(before.acceptedQuote, store.getState().slippage))
    const isKept = !hasMoved && isBoundToApproval(store.getState(), before.acceptedQuote, latchkey.internal.clock.now())
    await prepareOrder(
      latchkey,
      isKept ? before.acceptedQuote : fresh,
      hasMoved ? swapError('swap/price-moved', {}) : undefined,
    )
  } catch (error) {
    if (!isLeft())
      store.setState({
        order: { status: 'failed', acceptedQuote: before.acceptedQuote, error: toLatchkeyError(error) },
      })
  }
}

/**
 * True if the user approved the maximum of this quote. A new quote would have another maximum, which the user would have
 * to approve again.
 */
function isBoundToApproval({ doneSteps }: SwapState, { request: { exact }, at }: SwapQuote, now: number): boolean {
  return exact === 'to' && doneSteps.includes('approve') && now - at < approvedQuoteMilliseconds
}

/**
 * Builds and verifies the calls for the wallet.
 *
 * @param note the notice to show with the order
 */
export async function prepareOrder(
  latchkey: Latchkey,
  acceptedQuote: SwapQuote,
  note?: (SwapOrder & { status: 'ready' })['error'],
): Promise<void> {
  const { store, generation } = swapSessionOf(latchkey)
  const { slippage, order: shown } = store.getState()
  const isLeft = (): boolean => swapSessionOf(latchkey).generation !== generation || store.getState().order !== shown
  try {
    const { step, steps, calls } = await planCalls(latchkey, acceptedQuote, slippage)
    if (isLeft()) return
    const limits = getSwapLimits(acceptedQuote, slippage)
    const error = note === undefined ? {} : { error: note }
    store.setState({ order: { status: 'ready', step, steps, acceptedQuote, ...limits, calls, ...error } })
  } catch (error) {
    if (!isLeft()) store.setState({ order: { status: 'failed', acceptedQuote, error: toLatchkeyError(error) } })
  }
}
