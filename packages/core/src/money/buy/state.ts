import type { AccountId, ChainId, LatchkeyError } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'

/** An on-ramp provider. */
export type BuyProvider = {
  readonly id: string
  readonly name: string
  /** The provider's fee range in percent. */
  readonly fee: { readonly min: number; readonly max: number }
  readonly chains: readonly ChainId[]
}

/** A payment method. */
export type BuyMethod = 'card' | 'ach_bank_account'

/** The limits of a payment method, as decimal strings. */
export type BuyLimit = { readonly method: BuyMethod; readonly min: string; readonly max: string }

/** A currency to pay with. */
export type PaymentCurrency = { readonly id: string; readonly limits: readonly BuyLimit[] }

/** A currency that can be bought on the network. */
export type PurchaseCurrency = {
  readonly id: string
  readonly name: string
  readonly symbol: string
  /** The provider's name for the network. */
  readonly network: string
  /** The contract; absent for the native currency. */
  readonly address?: string
}

/** An amount of a currency, as an exact decimal string. */
export type BuyAmount = { readonly amount: string; readonly currency: string }

/** The quote of a purchase. */
export type BuyQuote = {
  readonly total: BuyAmount
  readonly purchase: BuyAmount
  readonly networkFee: BuyAmount
  /** The provider's fee; absent if it is unknown. */
  readonly providerFee?: BuyAmount
  readonly method: BuyMethod
}

/** The state of the quote. */
export type BuyQuoteState =
  | { readonly status: 'none' }
  | { readonly status: 'waiting' }
  | { readonly status: 'ready'; readonly quote: BuyQuote }
  | { readonly status: 'failed'; readonly error: LatchkeyError }

/** The status of a purchase at its provider: not paid yet, declined (can be retried), paid, arrived, or failed. */
export type PurchaseStatus = 'waiting' | 'declined' | 'paid' | 'arrived' | 'failed'

/** A purchase, as its provider reports it. */
export type Purchase = {
  readonly id: string
  readonly provider: string
  readonly status: PurchaseStatus
  /** Milliseconds since the epoch; undefined if the provider does not report it. */
  readonly at: number | undefined
  readonly paid?: BuyAmount
  readonly bought?: BuyAmount
  readonly chainId?: ChainId
  readonly hash?: string
}

/** A purchase that this page started. */
export type StartedPurchase = {
  readonly account: AccountId
  readonly chainId: ChainId
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** A started purchase. */
export type BuyOrder =
  | { readonly status: 'none' }
  /** The provider is creating its page. */
  | { readonly status: 'starting'; readonly provider: BuyProvider }
  | { readonly status: 'failed'; readonly provider: BuyProvider; readonly error: LatchkeyError }
  | {
      readonly status: 'begun'
      readonly provider: BuyProvider
      readonly id: string
      /** The provider's page. */
      readonly url: string
      /** The window of the provider's page: open, closed, or blocked by the browser. */
      readonly window: 'open' | 'closed' | 'blocked'
      readonly purchaseStatus: PurchaseStatus
      /** The latest known details of the purchase. */
      readonly purchase?: Purchase
      /** True after the polling timeout. The purchase may still arrive. */
      readonly overdue: boolean
      /** True if the last status request failed. */
      readonly unreachable: boolean
      readonly account: AccountId
      readonly chainId: ChainId
    }

/** The state of the purchase form. */
export type BuyState = {
  readonly status: 'closed' | 'loading' | 'open' | 'failed'
  /** The error from loading the form. */
  readonly error?: LatchkeyError
  readonly account?: AccountId
  readonly chainId?: ChainId
  /** The providers for this network. */
  readonly providers: readonly BuyProvider[]
  readonly provider?: string
  readonly payments: readonly PaymentCurrency[]
  readonly payment?: string
  readonly purchases: readonly PurchaseCurrency[]
  readonly purchase?: string
  /** The chosen payment method. Without one, it is the first that accepts the amount. */
  readonly method?: BuyMethod
  /** The amount to pay, as entered. */
  readonly amount: string
  /** The quote of the chosen provider. */
  readonly quote: BuyQuoteState
  /** The quotes of all providers, by their ids. */
  readonly offers: Readonly<Record<string, BuyQuoteState>>
  readonly order: BuyOrder
}

export const closedBuy: BuyState = {
  status: 'closed',
  providers: [],
  payments: [],
  purchases: [],
  amount: '',
  quote: { status: 'none' },
  offers: {},
  order: { status: 'none' },
}

/** The window in which the user pays. */
export type BuyWindow = {
  /** Shows the provider's page. */
  go(url: string): void
  /** True if the window is closed, as far as the browser reveals it. */
  isClosed(): boolean
  close(): void
}

/** The currencies of a provider. */
export type BuyChoice = Pick<BuyState, 'payments' | 'purchases'>

/** The session of a purchase: its store and its pending work. */
export type BuySession = {
  readonly store: StoreApi<BuyState>
  /** The currencies of the providers that were read, by their ids. */
  readonly choices: Map<string, BuyChoice>
  /** The pending quote request. */
  asking: AbortController | undefined
  stopWaiting: () => void
  window: BuyWindow | undefined
  /** The purchases that this page started and that are not over, by id. */
  readonly started: Map<string, StartedPurchase>
  /** The purchase that `watchBuy` polls. */
  watchedId: string | undefined
  /** Increases with each new form. Responses for an earlier form are dropped. */
  generation: number
}

const buyFeature = defineFeature((): BuySession => ({
  store: createStore<BuyState>(() => closedBuy),
  choices: new Map(),
  asking: undefined,
  stopWaiting: () => {},
  window: undefined,
  started: new Map(),
  watchedId: undefined,
  generation: 0,
}))

/** Returns the purchase session of an instance. */
export function buySessionOf(latchkey: Latchkey): BuySession {
  return getFeature(latchkey, buyFeature)
}

/**
 * Returns the purchase form as a store.
 *
 * @example buyState(latchkey).subscribe(({ quote }) => show(quote))
 */
export function buyState(latchkey: Latchkey): StoreApi<BuyState> {
  return buySessionOf(latchkey).store
}
