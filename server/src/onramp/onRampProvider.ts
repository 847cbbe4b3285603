import type { Chain } from '../kit/chain/chains.ts'

/** A payment method, as the wire format names it. */
export type PaymentMethod = 'card' | 'ach_bank_account'

/** The limits of one payment with a method, as decimal strings. */
export type MethodLimit = { id: PaymentMethod; min: string; max: string }

/** A currency that users pay with. */
export type PaymentCurrency = { id: string; payment_method_limits: readonly MethodLimit[] }

/** A network on which purchased assets are delivered. */
export type PurchaseNetwork = {
  /** The provider's name, which quotes use. */
  name: string
  display_name: string
  /** The reference of its CAIP-2 id. */
  chain_id: string
  caip_network_id: string
  /** Empty for the native currency. */
  contract_address: string
}

/** An asset that can be bought. */
export type PurchaseCurrency = {
  id: string
  name: string
  symbol: string
  decimals: number
  networks: readonly PurchaseNetwork[]
}

/** The currencies and assets of a provider. */
export type OnRampOptions = {
  paymentCurrencies: readonly PaymentCurrency[]
  purchaseCurrencies: readonly PurchaseCurrency[]
}

/** The purchase that a quote is for. The amount is in hundredths of the currency. */
export type QuoteRequest = {
  purchase: PurchaseCurrency
  network: PurchaseNetwork
  currency: string
  cents: bigint
  method: PaymentMethod
}

/** An amount of a currency, as a decimal string. */
export type Amount = { amount: string; currency: string }

/** The cost of a purchase and the amount that is delivered. */
export type Quote = {
  paymentTotal: Amount
  paymentSubtotal: Amount
  purchaseAmount: Amount
  networkFee: Amount
  providerFee: Amount
  quoteId: string
}

/** The purchase that a purchase page starts with. */
export type PageRequest = {
  address: string
  network: PurchaseNetwork
  purchase: PurchaseCurrency
  currency: string
  cents: bigint | undefined
  /** The payment method that the quote was for. */
  method: PaymentMethod
  /** IP address of the user, which some providers require. */
  clientAddress: string
}

/**
 * The status of a purchase. `waiting`: not paid yet. `declined`: the payment failed and can be retried. `paid`: the assets
 * are not delivered yet. `arrived`: delivered. `failed`: cancelled or refunded.
 */
export type PurchaseStatus = 'waiting' | 'declined' | 'paid' | 'arrived' | 'failed'

/** A purchase as its provider reports it. */
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

/** A service that sells crypto assets for money. */
export type OnRampProvider = {
  /** Name in requests, and prefix of the ids of its purchases. */
  readonly name: string
  readonly title: string
  /** The usual fee, in percent. */
  readonly fee: { readonly min: number; readonly max: number }
  /** True if the provider sells assets of the chain. */
  serves(chain: Chain): boolean
  options(): Promise<OnRampOptions>
  /** @throws Problem 503 `provider` if the provider gives no quote. Quotes are never estimated. */
  quote(request: QuoteRequest): Promise<Quote>
  /**
   * Creates a purchase page.
   *
   * @returns its URL, and the id of its purchase
   */
  page(request: PageRequest): Promise<{ url: string; purchaseId: string }>
  /** Gets one of its own purchases, or `undefined` if the id is unknown. */
  purchase(id: string): Promise<Purchase | undefined>
}
