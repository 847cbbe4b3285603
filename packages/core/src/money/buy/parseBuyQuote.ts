import { isChainId, type ChainId, httpError, type LatchkeyError } from '@latchkey/protocol'
import type {
  BuyAmount,
  BuyLimit,
  BuyMethod,
  BuyProvider,
  BuyQuote,
  PaymentCurrency,
  Purchase,
  PurchaseCurrency,
  PurchaseStatus,
} from './state.ts'

type Fields = Readonly<Record<string, unknown>>

const decimalText = /^\d{1,40}(\.\d{1,40})?$/

/** Parses the list of providers. Entries of another form are left out. */
export function parseBuyProviders(response: unknown): readonly BuyProvider[] {
  return listOf(response).flatMap((entry) => {
    const { serviceProvider: id, name, fee, chains } = entry
    const { min, max } = fieldsOf(fee)
    if (typeof id !== 'string' || typeof name !== 'string' || !Array.isArray(chains)) return []
    if (typeof min !== 'number' || typeof max !== 'number') return []
    return [{ id, name, fee: { min, max }, chains: chains.filter(isChain) }]
  })
}

/** Parses the payment and purchase currencies of a network. */
export function parseBuyOptions(
  response: unknown,
  chainId: ChainId,
): { payments: readonly PaymentCurrency[]; purchases: readonly PurchaseCurrency[] } {
  const { paymentCurrencies, purchaseCurrencies } = fieldsOf(response)
  return {
    payments: listOf(paymentCurrencies).flatMap(readPayment),
    purchases: listOf(purchaseCurrencies).flatMap((entry) => readPurchaseCurrency(entry, chainId)),
  }
}

function readPayment({ id, payment_method_limits: limits }: Fields): PaymentCurrency[] {
  if (typeof id !== 'string' || !/^[A-Z]{3}$/.test(id)) return []
  const read = listOf(limits).flatMap(({ id: method, min, max }): BuyLimit[] =>
    isMethod(method) && isDecimal(min) && isDecimal(max) ? [{ method, min, max }] : [],
  )
  return read.length === 0 ? [] : [{ id, limits: read }]
}

function readPurchaseCurrency({ id, name, symbol, networks }: Fields, chainId: ChainId): PurchaseCurrency[] {
  if (typeof id !== 'string' || typeof name !== 'string' || typeof symbol !== 'string') return []
  const own = listOf(networks).find((network) => network['caip_network_id'] === chainId)
  const { name: network, contract_address: contract } = own ?? {}
  if (typeof network !== 'string') return []
  const address = typeof contract === 'string' && contract !== '' ? { address: contract } : {}
  return [{ id, name, symbol, network, ...address }]
}

/** Parses a quote. */
export function parseBuyQuote(response: unknown, method: BuyMethod): BuyQuote {
  const { paymentTotal, purchaseAmount, networkFee, providerFee } = fieldsOf(response)
  const [total, purchase, network, provider] = [paymentTotal, purchaseAmount, networkFee, providerFee].map(readAmount)
  if (total === undefined || purchase === undefined || network === undefined) throw invalidBuyResponse()
  if (!/[1-9]/.test(purchase.amount)) throw invalidBuyResponse()
  return { total, purchase, networkFee: network, method, ...(provider !== undefined && { providerFee: provider }) }
}

/**
 * Parses the URL of the provider's page.
 *
 * @throws LatchkeyError `http/invalid-response` if the URL is not safe to open
 */
export function parseBuyPage(response: unknown, server: string | undefined): { url: string; id: string } {
  const { url, purchaseId: id } = fieldsOf(response)
  if (typeof url !== 'string' || typeof id !== 'string' || !URL.canParse(url)) throw invalidBuyResponse()
  const { protocol, origin } = new URL(url)
  // Rejects script URLs and unencrypted pages. A local development server may use plain HTTP.
  const isSafe = protocol === 'https:' || (server !== undefined && origin === new URL(server).origin)
  if (!isSafe || !/^https?:$/.test(protocol)) throw invalidBuyResponse()
  return { url, id }
}

const purchaseStatuses: readonly PurchaseStatus[] = ['waiting', 'declined', 'paid', 'arrived', 'failed']

/**
 * Parses the status of purchases.
 *
 * @throws LatchkeyError `http/invalid-response`
 */
export function readPurchases(response: unknown): readonly Purchase[] {
  return listOf(fieldsOf(response)['purchases']).flatMap(readPurchase)
}

function readPurchase(entry: Fields): Purchase[] {
  const { id, provider, status, createdAt, paymentTotal, purchaseAmount, caipNetworkId, hash } = entry
  const parsed = purchaseStatuses.find((each) => each === status)
  if (typeof id !== 'string' || typeof provider !== 'string' || parsed === undefined) return []
  const at = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
  const [paid, bought] = [readAmount(paymentTotal), readAmount(purchaseAmount)]
  return [
    {
      id,
      provider,
      status: parsed,
      at: Number.isNaN(at) ? undefined : at,
      ...(paid !== undefined && { paid }),
      ...(bought !== undefined && { bought }),
      ...(isChain(caipNetworkId) && { chainId: caipNetworkId }),
      ...(typeof hash === 'string' && { hash }),
    },
  ]
}

function readAmount(value: unknown): BuyAmount | undefined {
  const { amount, currency } = fieldsOf(value)
  return isDecimal(amount) && typeof currency === 'string' ? { amount, currency } : undefined
}

function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && decimalText.test(value)
}

function isMethod(value: unknown): value is BuyMethod {
  return value === 'card' || value === 'ach_bank_account'
}

function isChain(value: unknown): value is ChainId {
  return typeof value === 'string' && isChainId(value)
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function listOf(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) throw invalidBuyResponse()
  return value.map(fieldsOf)
}

function invalidBuyResponse(): LatchkeyError {
  return httpError('http/invalid-response', { subject: 'purchases' })
}
