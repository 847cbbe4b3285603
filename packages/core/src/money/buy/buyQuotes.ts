import { isLatchkeyError } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { parseBuyQuote } from './parseBuyQuote.ts'
import { asBuyError, buyError } from './buyError.ts'
import { getBuySelection, exactAmount, getPaymentMethod } from './buyProblem.ts'
import { buySessionOf } from './state.ts'

/** The delay after the last keystroke before a quote is requested [R9.1.6]. */
const debounceMilliseconds = 500
/** The HTTP status if the provider behind the server fails. */
const unavailable = 503

/**
 * Sets the entered amount to pay. A quote is requested after the last keystroke.
 *
 * @example setPaymentAmount(latchkey, '100')
 */
export function setPaymentAmount(latchkey: Latchkey, amount: string): void {
  buySessionOf(latchkey).store.setState({ amount })
  requestBuyQuote(latchkey)
}

/**
 * Selects the currency to pay with.
 *
 * @example choosePaymentCurrency(latchkey, 'EUR')
 */
export function choosePaymentCurrency(latchkey: Latchkey, id: string): void {
  buySessionOf(latchkey).store.setState({ payment: id })
  requestBuyQuote(latchkey)
}

/**
 * Selects the currency to buy.
 *
 * @example choosePurchaseCurrency(latchkey, 'ETH')
 */
export function choosePurchaseCurrency(latchkey: Latchkey, id: string): void {
  buySessionOf(latchkey).store.setState({ purchase: id })
  requestBuyQuote(latchkey)
}

/** Requests a quote after the last change. An outdated quote is removed at once. */
export function requestBuyQuote(latchkey: Latchkey): void {
  const desk = buySessionOf(latchkey)
  giveUp(latchkey)
  const isAskable = getPaymentMethod(desk.store.getState()) !== undefined
  desk.store.setState({ quote: isAskable ? { status: 'waiting' } : { status: 'none' } })
  if (isAskable)
    desk.stopWaiting = latchkey.internal.clock.after(debounceMilliseconds, () => void getBuyQuote(latchkey))
}

/**
 * Requests a quote from the selected provider. It aborts the previous request. If the provider has no quote, the
 * request fails: prices are never estimated.
 *
 * @throws never; the state becomes `failed` with the error
 * @example await getBuyQuote(latchkey)
 */
export async function getBuyQuote(latchkey: Latchkey): Promise<void> {
  const desk = buySessionOf(latchkey)
  const { store } = desk
  giveUp(latchkey)
  const state = store.getState()
  const { provider, payment, purchase } = getBuySelection(state)
  const method = getPaymentMethod(state)
  if (provider === undefined || payment === undefined || purchase === undefined || method === undefined) {
    return store.setState({ quote: { status: 'none' } })
  }
  const asking = new AbortController()
  desk.asking = asking
  store.setState({ quote: { status: 'waiting' } })
  try {
    const response = await fetchJson(latchkey, serverUrl(latchkey, '/v1/onramp/quote'), asking.signal, {
      provider: provider.id,
      purchaseCurrency: { id: purchase.id },
      paymentCurrency: { id: payment.id },
      amount: exactAmount(state.amount),
      network: purchase.network,
      paymentMethod: method,
    })
    const quote = parseBuyQuote(response, method)
    if (!asking.signal.aborted) store.setState({ quote: { status: 'ready', quote } })
  } catch (error) {
    if (asking.signal.aborted) return
    const cannot = isLatchkeyError(error, 'http/status') && error.context.status === unavailable
    const failure = cannot ? buyError('buy/no-quote', { provider: provider.name }, { cause: error }) : asBuyError(error)
    store.setState({ quote: { status: 'failed', error: failure } })
  }
}

function giveUp(latchkey: Latchkey): void {
  const desk = buySessionOf(latchkey)
  desk.stopWaiting()
  desk.asking?.abort()
  desk.asking = undefined
}
