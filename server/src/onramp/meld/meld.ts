import { randomBytes } from 'node:crypto'
import type { Static, TSchema } from '@sinclair/typebox'
import { Problem } from '../../kit/http/problem.ts'
import { formatCents } from '../cents.ts'
import type { OnRampConfig } from '../config.ts'
import { defaultPayments } from '../defaultPayments.ts'
import type { OnRampProvider, PageRequest, PaymentMethod, QuoteRequest } from '../onRampProvider.ts'
import { requestOnRampProvider } from '../requestOnRampProvider.ts'
import { getMeldCode, meldChainNames, meldPurchaseCurrencies } from './meldPurchaseCurrencies.ts'
import { meldResponses, toMeldPurchase, toMeldQuote, type MeldQuote } from './meldResponses.ts'

type Config = NonNullable<OnRampConfig['meld']>

const version = '2023-12-19'
const defaultCents = 10_000n
const methodNames: Readonly<Record<PaymentMethod, string>> = { card: 'CREDIT_DEBIT_CARD', ach_bank_account: 'ACH' }

/**
 * Creates the provider for Meld's API. It was tested against responses written from Meld's documentation, not against
 * the live service.
 */
export function createMeld(config: Config): OnRampProvider {
  const { key, url } = config
  const headers = { authorization: `BASIC ${key}`, 'meld-version': version }

  function post<schema extends TSchema>(path: string, body: object, schema: schema): Promise<Static<schema>> {
    return requestOnRampProvider('Meld', new URL(path, url), { method: 'POST', headers, body }, schema)
  }

  /** Gets the quote that delivers most. */
  async function getBestQuote({ purchase, network, currency, cents, method }: QuoteRequest): Promise<MeldQuote> {
    const body = {
      ...toPayment(config, currency, cents),
      destinationCurrencyCode: getMeldCode(purchase, network.caip_network_id),
      paymentMethodType: methodNames[method],
    }
    const { quotes } = await post('/payments/crypto/quote', body, meldResponses.quotes)
    const [best] = quotes.toSorted((one, other) => other.destinationAmount - one.destinationAmount)
    if (best === undefined) throw new Problem(503, 'provider', 'Meld has no offer for this now. Try again later.')
    return best
  }

  return {
    name: 'meld',
    title: 'Meld',
    fee: { min: 1, max: 2 },
    serves: ({ caipNetworkId }) => Object.hasOwn(meldChainNames, caipNetworkId),
    options: async () => ({ paymentCurrencies: defaultPayments, purchaseCurrencies: meldPurchaseCurrencies }),
    async quote(quoteRequest) {
      return toMeldQuote(await getBestQuote(quoteRequest), quoteRequest)
    },
    async page({ address, ...pageRequest }: PageRequest) {
      const { network, purchase, currency, method, cents = defaultCents } = pageRequest
      const { serviceProvider } = await getBestQuote({ ...pageRequest, cents })
      const purchaseId = `meld_${randomBytes(16).toString('base64url')}`
      const sessionData = {
        walletAddress: address,
        ...toPayment(config, currency, cents),
        destinationCurrencyCode: getMeldCode(purchase, network.caip_network_id),
        serviceProvider,
        // The offer is for this method only.
        paymentMethodType: methodNames[method],
      }
      const body = { sessionType: 'BUY', externalSessionId: purchaseId, sessionData }
      const { widgetUrl } = await post('/crypto/session/widget', body, meldResponses.widget)
      return { url: widgetUrl, purchaseId }
    },
    async purchase(id) {
      const search = new URL('/payments/transactions', url)
      search.searchParams.set('externalSessionIds', id)
      const { transactions } = await requestOnRampProvider('Meld', search, { headers }, meldResponses.transactions)
      const transaction = transactions.find(({ externalSessionId }) => externalSessionId === id)
      return transaction === undefined ? undefined : toMeldPurchase(id, transaction)
    },
  }
}

function toPayment({ country }: Config, currency: string, cents: bigint): Readonly<Record<string, string>> {
  return { countryCode: country, sourceCurrencyCode: currency, sourceAmount: formatCents(cents) }
}
