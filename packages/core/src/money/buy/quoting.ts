import { isLatchkeyError } from '@latchkey/protocol'
import { ask, serverUrl } from '../../api/ask.ts'
import type { Latchkey } from '../../latchkey.ts'
import { readQuote } from './answers.ts'
import { asBuyError, buyError } from './buyError.ts'
import { chosenIn, exactAmount, methodFor } from './buyProblem.ts'
import { deskOf } from './state.ts'

/** How long typing has to rest before a price is asked for [R9.1.6]. */
const debounceMilliseconds = 500
/** What a server answers when the provider cannot tell. */
const unavailable = 503

/** Sets what is to be paid, as it is typed; a price is asked for once typing rests. */
export function setPaymentAmount(latchkey: Latchkey, amount: string): void {
  deskOf(latchkey).store.setState({ amount })
  requestBuyQuote(latchkey)
}

/** Chooses the currency to pay with. */
export function choosePaymentCurrency(latchkey: Latchkey, id: string): void {
  deskOf(latchkey).store.setState({ payment: id })
  requestBuyQuote(latchkey)
}

/** Chooses what is bought. */
export function choosePurchaseCurrency(latchkey: Latchkey, id: string): void {
  deskOf(latchkey).store.setState({ purchase: id })
  requestBuyQuote(latchkey)
}

/** Asks for a price once nothing changes any more; what was known of another question goes at once. */
export function requestBuyQuote(latchkey: Latchkey): void {
  const desk = deskOf(latchkey)
  giveUp(latchkey)
  const isAskable = methodFor(desk.store.getState()) !== undefined
  desk.store.setState({ quote: isAskable ? { status: 'waiting' } : { status: 'none' } })
  if (isAskable) desk.stopWaiting = latchkey.clock.after(debounceMilliseconds, () => void getBuyQuote(latchkey))
}

/**
 * Asks the chosen provider what the purchase would come to, now. An earlier question is given up, and its answer dropped.
 * A provider that cannot tell is a failure: no price is ever made up.
 *
 * @throws never: the store says `failed`, with the error.
 * @example await getBuyQuote(latchkey)
 */
export async function getBuyQuote(latchkey: Latchkey): Promise<void> {
  const desk = deskOf(latchkey)
  const { store } = desk
  giveUp(latchkey)
  const state = store.getState()
  const { provider, payment, purchase } = chosenIn(state)
  const method = methodFor(state)
  if (provider === undefined || payment === undefined || purchase === undefined || method === undefined) {
    return store.setState({ quote: { status: 'none' } })
  }
  const asking = new AbortController()
  desk.asking = asking
  store.setState({ quote: { status: 'waiting' } })
  try {
    const answer = await ask(latchkey, serverUrl(latchkey, '/v1/onramp/quote'), asking.signal, {
      provider: provider.id,
      purchaseCurrency: { id: purchase.id },
      paymentCurrency: { id: payment.id },
      amount: exactAmount(state.amount),
      network: purchase.network,
      paymentMethod: method,
    })
    const quote = readQuote(answer, method)
    if (!asking.signal.aborted) store.setState({ quote: { status: 'ready', quote } })
  } catch (error) {
    if (asking.signal.aborted) return
    const cannot = isLatchkeyError(error, 'http/status') && error.context.status === unavailable
    const told = cannot ? buyError('buy/no-quote', { provider: provider.name }, { cause: error }) : asBuyError(error)
    store.setState({ quote: { status: 'failed', error: told } })
  }
}

function giveUp(latchkey: Latchkey): void {
  const desk = deskOf(latchkey)
  desk.stopWaiting()
  desk.asking?.abort()
  desk.asking = undefined
}
