import { isLatchkeyError } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { parseBuyQuote } from './parseBuyQuote.ts'
import { toBuyError, buyError } from './buyError.ts'
import { getBuySelection, exactAmount, getPaymentMethod } from './buyProblem.ts'
import { withProvider } from './getBestProvider.ts'
import {
  buySessionOf,
  type BuyMethod,
  type BuyProvider,
  type BuyQuoteState,
  type BuySession,
  type BuyState,
} from './state.ts'

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

/**
 * Selects the method to pay with. The first one that accepts the amount is the default.
 *
 * @example choosePaymentMethod(latchkey, 'ach_bank_account')
 */
export function choosePaymentMethod(latchkey: Latchkey, method: BuyMethod): void {
  buySessionOf(latchkey).store.setState({ method })
  requestBuyQuote(latchkey)
}

/** Requests quotes after the last change. Outdated quotes are removed at once. */
export function requestBuyQuote(latchkey: Latchkey): void {
  const session = buySessionOf(latchkey)
  abortQuotes(latchkey)
  const isAskable = getPaymentMethod(session.store.getState()) !== undefined
  markQuotes(session)
  if (isAskable)
    session.stopWaiting = latchkey.internal.clock.after(debounceMilliseconds, () => void getBuyQuote(latchkey))
}

/**
 * Requests a quote from each provider that offers the chosen currencies. It aborts the previous requests. If a provider
 * has no quote, its request fails: prices are never estimated.
 *
 * @throws never; the quotes become `failed` with their errors
 * @example await getBuyQuote(latchkey)
 */
export async function getBuyQuote(latchkey: Latchkey): Promise<void> {
  const session = buySessionOf(latchkey)
  abortQuotes(latchkey)
  const asking = new AbortController()
  session.asking = asking
  const requests = markQuotes(session)
  await Promise.all(
    requests.map(async (request) => {
      const quote = await fetchBuyQuote(latchkey, request, asking.signal)
      if (!asking.signal.aborted) setQuote(session, request.provider.id, quote)
    }),
  )
}

type QuoteRequest = { provider: BuyProvider; method: BuyMethod; body: Readonly<Record<string, unknown>> }

/** Marks the quotes as pending, or as empty where the form is incomplete. Returns the requests for them. */
function markQuotes({ store, choices }: BuySession): readonly QuoteRequest[] {
  const state = store.getState()
  const requests = state.providers.flatMap(({ id }) => quoteRequestOf(withProvider(state, id, choices.get(id))) ?? [])
  const statusOf = (id: string | undefined): BuyQuoteState =>
    requests.some(({ provider }) => provider.id === id) ? { status: 'waiting' } : { status: 'none' }
  const offers = Object.fromEntries(state.providers.map(({ id }) => [id, statusOf(id)]))
  store.setState({ quote: statusOf(state.provider), offers })
  return requests
}

function quoteRequestOf(state: BuyState): QuoteRequest | undefined {
  const { provider, payment, purchase } = getBuySelection(state)
  const method = getPaymentMethod(state)
  if (provider === undefined || payment === undefined || purchase === undefined || method === undefined) {
    return undefined
  }
  const body = {
    provider: provider.id,
    purchaseCurrency: { id: purchase.id },
    paymentCurrency: { id: payment.id },
    amount: exactAmount(state.amount),
    network: purchase.network,
    paymentMethod: method,
  }
  return { provider, method, body }
}

async function fetchBuyQuote(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  { provider, method, body }: QuoteRequest,
  signal: AbortSignal,
): Promise<BuyQuoteState> {
  try {
    const response = await fetchJson(latchkey, serverUrl(latchkey, '/v1/onramp/quote'), signal, body)
    return { status: 'ready', quote: parseBuyQuote(response, method) }
  } catch (error) {
    const cannot = isLatchkeyError(error, 'http/status') && error.context.status === unavailable
    const failure = cannot ? buyError('buy/no-quote', { provider: provider.name }, { cause: error }) : toBuyError(error)
    return { status: 'failed', error: failure }
  }
}

function setQuote({ store }: BuySession, provider: string, quote: BuyQuoteState): void {
  const state = store.getState()
  store.setState({
    offers: { ...state.offers, [provider]: quote },
    ...(state.provider === provider && { quote }),
  })
}

function abortQuotes(latchkey: Latchkey): void {
  const session = buySessionOf(latchkey)
  session.stopWaiting()
  session.asking?.abort()
  session.asking = undefined
}
