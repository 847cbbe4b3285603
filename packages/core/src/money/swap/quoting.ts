import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../latchkey.ts'
import { askQuote } from './exchange.ts'
import { swapAmountOf } from './figures.ts'
import { readToken } from './openSwap.ts'
import { chosenSwapToken, deskOf, nativeToken, type SwapQuestion, type SwapQuote, type SwapState } from './state.ts'

/** How long typing has to rest before a price is asked for [R9.1.6]. */
const debounceMilliseconds = 500
/** How old a price may become while somebody looks at it. */
const quoteMilliseconds = 10_000

/** What is to be known, as far as there is enough to ask. */
function questionOf(state: SwapState): SwapQuestion | undefined {
  const { account, chainId } = state
  const [from, to, amount] = [chosenSwapToken(state, 'from'), chosenSwapToken(state, 'to'), swapAmountOf(state)]
  if (account === undefined || chainId === undefined || from === undefined || to === undefined) return undefined
  if (amount === undefined || amount === 0n || from.id === to.id) return undefined
  return { account, chainId, from, to, amount }
}

/** Whether two questions have the same answer. */
function isSameQuestion(one: SwapQuestion | undefined, other: SwapQuestion | undefined): boolean {
  return nameOf(one) === nameOf(other)
}

function nameOf(question: SwapQuestion | undefined): string {
  if (question === undefined) return ''
  const { account, chainId, from, to, amount } = question
  return [account, chainId, from.id, to.id, amount].join(' ')
}

/** Asks for a price once typing rests; what was on show about anything else goes at once. */
export function requestQuote(latchkey: Latchkey): void {
  const desk = deskOf(latchkey)
  stopAsking(latchkey)
  if (expectQuote(latchkey) === undefined) return
  desk.stopWaiting = latchkey.clock.after(debounceMilliseconds, () => void refreshQuote(latchkey))
}

/**
 * Asks for a price now. An earlier question is given up, and an answer to anything but the present question is dropped.
 *
 * @throws never: the store says `failed`, with the error.
 * @example await refreshQuote(latchkey)
 */
export async function refreshQuote(latchkey: Latchkey): Promise<void> {
  const desk = deskOf(latchkey)
  stopAsking(latchkey)
  const question = expectQuote(latchkey)
  if (question === undefined) return
  const asking = new AbortController()
  desk.asking = asking
  const isStale = (): boolean => asking.signal.aborted || !isSameQuestion(question, questionOf(desk.store.getState()))
  try {
    const quote = await askQuote(latchkey, question, asking.signal)
    if (isStale()) return
    desk.store.setState({ quote: { status: 'ready', quote } })
    await fitToBalance(latchkey, quote)
  } catch (error) {
    if (isStale()) return
    desk.store.setState({ quote: { status: 'failed', error: asError(error) } })
  }
}

/** Gives up the question that is on its way. */
export function stopAsking(latchkey: Latchkey): void {
  const desk = deskOf(latchkey)
  desk.stopWaiting()
  desk.asking?.abort()
  desk.asking = undefined
}

/** Says that a price is on its way, or that there is nothing to ask. */
function expectQuote(latchkey: Latchkey): SwapQuestion | undefined {
  const { store } = deskOf(latchkey)
  const state = store.getState()
  const question = questionOf(state)
  if (question === undefined) {
    store.setState({ quote: { status: 'none' } })
    return undefined
  }
  const { quote } = state
  const known = quote.status === 'ready' ? quote.quote : quote.status === 'waiting' ? quote.last : undefined
  const last = isSameQuestion(known?.question, question) ? known : undefined
  store.setState({ quote: { status: 'waiting', last } })
  return question
}

/** All that there is of the native currency is what is left beside the fee. */
async function fitToBalance(latchkey: Latchkey, { question, fee }: SwapQuote): Promise<void> {
  const { store } = deskOf(latchkey)
  const state = store.getState()
  const balance = nativeToken(state)?.balance
  if (!state.isMax || question.from.address !== undefined || balance === undefined || fee === undefined) return
  if (question.amount + fee.most <= balance) return
  const rest = balance > fee.most ? balance - fee.most : 0n
  store.setState({ amount: formatAmount(rest, question.from.decimals) })
  await refreshQuote(latchkey)
}

/**
 * Keeps the price fresh while somebody looks, and what there is to give: every ten seconds, and at once when a page that was
 * hidden shows again.
 *
 * @param refresh what makes them fresh
 * @returns what stops it
 */
export function keepQuoteFresh(
  latchkey: Latchkey,
  refresh: () => Promise<unknown> = () => Promise.all([readToken(latchkey, 'from'), refreshQuote(latchkey)]),
): () => void {
  const page = typeof document === 'undefined' ? undefined : document
  let cancel = (): void => {}
  const isHidden = (): boolean => page?.visibilityState === 'hidden'
  const plan = (): void => {
    cancel()
    cancel = latchkey.clock.after(quoteMilliseconds, () => {
      if (isHidden()) return
      void refresh()
      plan()
    })
  }
  const look = (): void => {
    cancel()
    if (isHidden()) return
    void refresh()
    plan()
  }
  page?.addEventListener('visibilitychange', look)
  plan()
  return () => {
    cancel()
    page?.removeEventListener('visibilitychange', look)
  }
}

/** What was caught, in our own words. */
export function asError(error: unknown): LatchkeyError {
  if (isLatchkeyError(error)) return error
  return new LatchkeyError('http/invalid-answer', { what: 'swaps' }, { cause: error })
}
