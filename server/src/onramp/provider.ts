import type { Chain } from '../kit/chains.ts'

/** How money is paid: the words that limits are asked and told by. */
export type PaymentMethod = 'card' | 'ach_bank_account'

/** What may be paid at once in a way, as decimal texts. */
export type MethodLimit = { id: PaymentMethod; min: string; max: string }

/** A currency that one pays with. */
export type PaymentCurrency = { id: string; payment_method_limits: readonly MethodLimit[] }

/** Where something that is bought arrives. */
export type PurchaseNetwork = {
  /** How quotes name it. */
  name: string
  display_name: string
  /** The reference of its CAIP-2 id. */
  chain_id: string
  caip_network_id: string
  /** Empty for the native currency. */
  contract_address: string
}

/** What can be bought. */
export type PurchaseCurrency = {
  id: string
  name: string
  symbol: string
  decimals: number
  networks: readonly PurchaseNetwork[]
}

/** What a provider sells, and for what. */
export type OnRampOptions = {
  paymentCurrencies: readonly PaymentCurrency[]
  purchaseCurrencies: readonly PurchaseCurrency[]
}

/** What somebody would pay for what. The amount is in hundredths. */
export type QuoteQuestion = {
  purchase: PurchaseCurrency
  network: PurchaseNetwork
  currency: string
  cents: bigint
  method: PaymentMethod
}

/** An amount of a currency, as a decimal text. */
export type Amount = { amount: string; currency: string }

/** What a purchase would come to. */
export type Quote = {
  paymentTotal: Amount
  paymentSubtotal: Amount
  purchaseAmount: Amount
  networkFee: Amount
  providerFee: Amount
  quoteId: string
}

/** What a purchase page is asked to begin with. */
export type PageQuestion = {
  address: string
  network: PurchaseNetwork
  purchase: PurchaseCurrency
  currency: string
  cents: bigint | undefined
  /** Where the visitor is, for providers that have to know. */
  clientAddress: string
}

/**
 * How a purchase stands: nobody paid yet, the payment was declined (and may be tried again), it is paid, it arrived, or
 * it came to nothing and the money goes back.
 */
export type PurchaseStatus = 'waiting' | 'declined' | 'paid' | 'arrived' | 'failed'

/** A purchase, as far as its provider tells. */
export type Purchase = {
  id: string
  provider: string
  status: PurchaseStatus
  createdAt: string
  paymentTotal?: Amount
  purchaseAmount?: Amount
  caipNetworkId?: string
  hash?: string
}

/** Somebody who sells what is on a chain. */
export type OnRampProvider = {
  /** How it is called in requests, and at the beginning of the ids of its purchases. */
  readonly name: string
  readonly title: string
  /** What it takes, in per cent, from and to. */
  readonly fee: { readonly min: number; readonly max: number }
  /** Whether it sells what is on a chain. */
  serves(chain: Chain): boolean
  options(): Promise<OnRampOptions>
  /** @throws Problem 503 `provider` when it cannot tell: a quote is never guessed. */
  quote(question: QuoteQuestion): Promise<Quote>
  /** Makes a purchase page. @returns its address, and the id that its purchase is looked up by */
  page(question: PageQuestion): Promise<{ url: string; purchaseId: string }>
  /** A purchase of its own; undefined when it knows of none under this id. */
  purchase(id: string): Promise<Purchase | undefined>
}
