import { isChainId, LatchkeyError, type ChainId } from '@latchkey/protocol'
import type {
  BuyAmount,
  BuyLimit,
  BuyMethod,
  BuyProvider,
  BuyQuote,
  PaymentCurrency,
  Purchase,
  PurchaseCurrency,
  PurchaseStanding,
} from './state.ts'

type Fields = Readonly<Record<string, unknown>>

const decimalText = /^\d{1,40}(\.\d{1,40})?$/

/** Who sells, as the server tells. Entries of another form are left out. @throws LatchkeyError `http/invalid-answer` */
export function readProviders(answer: unknown): readonly BuyProvider[] {
  return listOf(answer).flatMap((entry) => {
    const { serviceProvider: id, name, fee, chains } = entry
    const { min, max } = fieldsOf(fee)
    if (typeof id !== 'string' || typeof name !== 'string' || !Array.isArray(chains)) return []
    if (typeof min !== 'number' || typeof max !== 'number') return []
    return [{ id, name, fee: { min, max }, chains: chains.filter(isChain) }]
  })
}

/** What one pays with and what it buys on a network. @throws LatchkeyError `http/invalid-answer` */
export function readOptions(
  answer: unknown,
  chainId: ChainId,
): { payments: readonly PaymentCurrency[]; purchases: readonly PurchaseCurrency[] } {
  const { paymentCurrencies, purchaseCurrencies } = fieldsOf(answer)
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

/** What a purchase would come to. @throws LatchkeyError `http/invalid-answer`: nothing is made up in its place */
export function readQuote(answer: unknown, method: BuyMethod): BuyQuote {
  const { paymentTotal, purchaseAmount, networkFee, providerFee } = fieldsOf(answer)
  const [total, purchase, network, provider] = [paymentTotal, purchaseAmount, networkFee, providerFee].map(readAmount)
  if (total === undefined || purchase === undefined || network === undefined) throw invalid()
  if (!/[1-9]/.test(purchase.amount)) throw invalid()
  return { total, purchase, networkFee: network, method, ...(provider !== undefined && { providerFee: provider }) }
}

/** The provider's page. @throws LatchkeyError `http/invalid-answer` for one that no browser should be sent to */
export function readPage(answer: unknown, server: string | undefined): { url: string; id: string } {
  const { url, purchaseId: id } = fieldsOf(answer)
  if (typeof url !== 'string' || typeof id !== 'string' || !URL.canParse(url)) throw invalid()
  const { protocol, origin } = new URL(url)
  // A script, or a page that others may listen to, is no place to pay at. Our own server may be without TLS while developing.
  const isSafe = protocol === 'https:' || (server !== undefined && origin === new URL(server).origin)
  if (!isSafe || !/^https?:$/.test(protocol)) throw invalid()
  return { url, id }
}

const standings: readonly PurchaseStanding[] = ['waiting', 'declined', 'paid', 'arrived', 'failed']

/** How purchases stand. @throws LatchkeyError `http/invalid-answer` */
export function readPurchases(answer: unknown): readonly Purchase[] {
  return listOf(fieldsOf(answer)['purchases']).flatMap(readPurchase)
}

function readPurchase(entry: Fields): Purchase[] {
  const { id, provider, status, createdAt, paymentTotal, purchaseAmount, caipNetworkId, hash } = entry
  const standing = standings.find((each) => each === status)
  if (typeof id !== 'string' || typeof provider !== 'string' || standing === undefined) return []
  const at = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
  const [paid, bought] = [readAmount(paymentTotal), readAmount(purchaseAmount)]
  return [
    {
      id,
      provider,
      standing,
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
  if (!Array.isArray(value)) throw invalid()
  return value.map(fieldsOf)
}

function invalid(): LatchkeyError {
  return new LatchkeyError('http/invalid-answer', { what: 'purchases' })
}
