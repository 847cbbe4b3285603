import type { AccountId, ChainId, LatchkeyError } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { companion } from '../../companion.ts'
import type { Latchkey } from '../../latchkey.ts'

/** Somebody who sells coins for money. */
export type BuyProvider = {
  readonly id: string
  readonly name: string
  /** What he takes, in per cent, from and to. */
  readonly fee: { readonly min: number; readonly max: number }
  readonly chains: readonly ChainId[]
}

/** How money is paid. */
export type BuyMethod = 'card' | 'ach_bank_account'

/** What may be paid at once in a way, as decimal texts. */
export type BuyLimit = { readonly method: BuyMethod; readonly min: string; readonly max: string }

/** A currency that one pays with. */
export type PaymentCurrency = { readonly id: string; readonly limits: readonly BuyLimit[] }

/** What can be bought on the network. */
export type PurchaseCurrency = {
  readonly id: string
  readonly name: string
  readonly symbol: string
  /** What the provider calls the network. */
  readonly network: string
  /** The contract; absent for the native currency. */
  readonly address?: string
}

/** An amount of a currency, as an exact decimal text. */
export type BuyAmount = { readonly amount: string; readonly currency: string }

/** What a purchase would come to. */
export type BuyQuote = {
  readonly total: BuyAmount
  readonly purchase: BuyAmount
  readonly networkFee: BuyAmount
  /** What the provider takes; absent where he does not say. */
  readonly providerFee?: BuyAmount
  readonly method: BuyMethod
}

/** What is known of the price. */
export type BuyQuoteState =
  | { readonly status: 'none' }
  | { readonly status: 'waiting' }
  | { readonly status: 'ready'; readonly quote: BuyQuote }
  | { readonly status: 'failed'; readonly error: LatchkeyError }

/**
 * How a purchase stands with its provider: nobody paid yet, the payment was declined (and may be tried again), it is
 * paid, it arrived, or it came to nothing.
 */
export type PurchaseStanding = 'waiting' | 'declined' | 'paid' | 'arrived' | 'failed'

/** A purchase, as far as its provider tells. */
export type Purchase = {
  readonly id: string
  readonly provider: string
  readonly standing: PurchaseStanding
  /** Milliseconds since the epoch; undefined where the provider does not say. */
  readonly at: number | undefined
  readonly paid?: BuyAmount
  readonly bought?: BuyAmount
  readonly chainId?: ChainId
  readonly hash?: string
}

/** A purchase that is under way. */
export type BuyOrder =
  | { readonly status: 'none' }
  /** The provider makes a page for it. */
  | { readonly status: 'starting'; readonly provider: BuyProvider }
  | { readonly status: 'failed'; readonly provider: BuyProvider; readonly error: LatchkeyError }
  | {
      readonly status: 'begun'
      readonly provider: BuyProvider
      readonly id: string
      /** The provider's page. */
      readonly url: string
      /** Of the page: on show, gone or out of sight, or never there because the browser kept it from opening. */
      readonly window: 'open' | 'closed' | 'blocked'
      readonly standing: PurchaseStanding
      /** What is known of it since the first look. */
      readonly purchase?: Purchase
      /** It was looked for long enough; it may still come. */
      readonly overdue: boolean
      /** The last look did not go, so that nothing is known just now. */
      readonly unreachable: boolean
      readonly account: AccountId
      readonly chainId: ChainId
    }

/** Where buying stands. */
export type BuyState = {
  readonly status: 'closed' | 'loading' | 'open' | 'failed'
  /** Why there is nothing to choose from. */
  readonly error?: LatchkeyError
  readonly account?: AccountId
  readonly chainId?: ChainId
  /** Those that sell on this network. */
  readonly providers: readonly BuyProvider[]
  readonly provider?: string
  readonly payments: readonly PaymentCurrency[]
  readonly payment?: string
  readonly purchases: readonly PurchaseCurrency[]
  readonly purchase?: string
  /** What is to be paid, as it was typed. */
  readonly amount: string
  readonly quote: BuyQuoteState
  readonly order: BuyOrder
}

export const closedBuy: BuyState = {
  status: 'closed',
  providers: [],
  payments: [],
  purchases: [],
  amount: '',
  quote: { status: 'none' },
  order: { status: 'none' },
}

/** A window that somebody pays in. */
export type BuyWindow = {
  /** Shows the provider's page. */
  go(url: string): void
  /** Whether it is closed, as far as one can see: a page may hide that it is still there. */
  isClosed(): boolean
  close(): void
}

/** What belongs to buying and is nobody's state. */
export type BuyDesk = {
  readonly store: StoreApi<BuyState>
  /** The question for a price that is on its way. */
  asking: AbortController | undefined
  stopWaiting: () => void
  window: BuyWindow | undefined
  /** Counts what the visitor began: an answer to what he left is dropped. */
  turn: number
}

const key = Symbol('buy')

/** What an instance keeps for buying. It begins anew when the account or the network is another one. */
export function deskOf(latchkey: Latchkey): BuyDesk {
  return companion(latchkey, key, () => ({
    store: createStore<BuyState>(() => closedBuy),
    asking: undefined,
    stopWaiting: () => {},
    window: undefined,
    turn: 0,
  }))
}

/**
 * Where buying stands, as a store.
 *
 * @example buyState(latchkey).subscribe(({ quote }) => show(quote))
 */
export function buyState(latchkey: Latchkey): StoreApi<BuyState> {
  return deskOf(latchkey).store
}
