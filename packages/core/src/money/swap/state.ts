import type { AccountId, ChainId, ConvertHop, LatchkeyError } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Call } from '../../contracts/adapter.ts'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'

/** The side of a token: the one to give, or the one to receive. */
export type SwapSide = 'from' | 'to'

/** A token that can be swapped. */
export type SwapToken = {
  /** CAIP-10 id. */
  readonly id: string
  /** The plain address of its contract; absent for the native currency. */
  readonly address?: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly iconUrl?: string
  /** The balance of the account in base units; absent if unknown. */
  readonly balance?: bigint
  /** Dollars for one token; absent if unknown. */
  readonly price?: number
}

/** A request for a swap quote. */
export type SwapQuoteRequest = {
  readonly account: AccountId
  readonly chainId: ChainId
  readonly from: SwapToken
  readonly to: SwapToken
  /** The side whose amount is exact. */
  readonly exact: SwapSide
  /** The amount of that side, in base units. */
  readonly amount: bigint
}

/** A swap quote. */
export type SwapQuote = {
  /** The request of the quote. */
  readonly request: SwapQuoteRequest
  /** The server's name for the route. */
  readonly id: string | undefined
  /** The amount to give, in base units of the given token. */
  readonly fromAmount: bigint
  /** The amount to receive, in base units of the wanted token. */
  readonly toAmount: bigint
  /** CAIP-10 id of the contract that swaps. */
  readonly spender: string
  /** The network fee, in base units of the native currency; undefined if unknown. */
  readonly fee: SwapFee | undefined
  /** The price impact in percent, compared with a tiny swap; undefined if unknown. */
  readonly impact: number | undefined
  readonly route: readonly ConvertHop[]
  /** The time of the request, in milliseconds since the epoch. */
  readonly at: number
}

/** The network fee of a swap. */
export type SwapFee = {
  readonly value: bigint
  /** The balance that the wallet requires for the fee, because gas prices may rise before the transaction is mined. */
  readonly most: bigint
}

/** The state of the quote. */
export type QuoteState =
  | { readonly status: 'none' }
  /** A request is pending. The last quote stays visible if it has the same tokens. */
  | { readonly status: 'waiting'; readonly last: SwapQuote | undefined }
  | { readonly status: 'ready'; readonly quote: SwapQuote }
  | { readonly status: 'failed'; readonly error: LatchkeyError }

/**
 * The next wallet request: remove a leftover allowance that the token refuses to change, approve, swap, or all in one
 * batch.
 */
export type SwapStep = 'reset' | 'approve' | 'swap' | 'batch'

/** A call for the wallet. It has a gas limit, because the gas that pools use depends on the block. */
export type SwapCall = Call & { readonly gas?: bigint }

/** The limits that the user agrees to. A swap beyond them reverts. */
export type SwapLimits = {
  /** The maximum given, in base units. It is the amount itself if that is exact. */
  readonly maximum: bigint
  /** The minimum received, in base units. It is the amount itself if that is exact. */
  readonly minimum: bigint
}

/** The order that the wallet is asked to sign. */
export type SwapOrder =
  | { readonly status: 'none' }
  /** The allowance is checked, and the transactions are built. */
  | { readonly status: 'checking'; readonly acceptedQuote: SwapQuote }
  | (SwapLimits & {
      readonly status: 'ready'
      readonly step: SwapStep
      /** This step and those that follow. */
      readonly steps: readonly SwapStep[]
      /** The quote that the user agrees to. */
      readonly acceptedQuote: SwapQuote
      /** The verified calls that the wallet is asked for. */
      readonly calls: readonly SwapCall[]
      /** The error of the last attempt. */
      readonly error?: LatchkeyError
    })
  /** The request is pending in the wallet. */
  | (SwapLimits & { readonly status: 'awaiting-wallet'; readonly step: SwapStep; readonly acceptedQuote: SwapQuote })
  /** The approval is sent, and not mined yet. */
  | (SwapLimits & {
      readonly status: 'approving'
      readonly step: 'reset' | 'approve'
      readonly hash: string
      readonly acceptedQuote: SwapQuote
    })
  | { readonly status: 'failed'; readonly acceptedQuote: SwapQuote; readonly error: LatchkeyError }

/** The state of the swap form. */
export type SwapState = {
  readonly status: 'closed' | 'loading' | 'open' | 'failed'
  /** The error from loading the form. */
  readonly error?: LatchkeyError
  readonly account?: AccountId
  readonly chainId?: ChainId
  /** The tokens that can be swapped on this network. */
  readonly tokens: readonly SwapToken[]
  /** The ids of the selected tokens. */
  readonly from?: string
  readonly to?: string
  /** True if the exchange quotes the amount to give for an amount to receive. */
  readonly quotesOutput: boolean
  /** The side of the entered amount. */
  readonly exact: SwapSide
  /** The amount of that side, as entered. */
  readonly amount: string
  /** The amount as entered, if the user enters dollars. */
  readonly dollars: string | undefined
  /** True if the amount is the whole balance. */
  readonly isMax: boolean
  /** The slippage in percent [R9.5.1]. */
  readonly slippage: number
  /** True if the slippage follows the quote, until the user sets one. */
  readonly isSlippageAutomatic: boolean
  readonly quote: QuoteState
  /** The time of the next quote, in milliseconds since the epoch, while a view keeps the quote fresh. */
  readonly refreshAt: number | undefined
  readonly order: SwapOrder
  /** The steps of this order that are mined. */
  readonly doneSteps: readonly SwapStep[]
}

/** Percent [R9.5.1]. */
export const defaultSlippage = 1

export const closedSwap: SwapState = {
  status: 'closed',
  tokens: [],
  quotesOutput: false,
  exact: 'from',
  amount: '',
  dollars: undefined,
  isMax: false,
  slippage: defaultSlippage,
  isSlippageAutomatic: true,
  quote: { status: 'none' },
  refreshAt: undefined,
  order: { status: 'none' },
  doneSteps: [],
}

/** The session of a swap: its store and its pending work. */
export type SwapSession = {
  readonly store: StoreApi<SwapState>
  /** The pending or scheduled quote request. */
  asking: AbortController | undefined
  stopWaiting: () => void
  /** The time of the last change of the form. */
  changedAt: number
  /** Increases with each new form. Responses for an earlier form are dropped. */
  generation: number
  /** Stops following the account. */
  stops: Array<() => void>
}

const swapFeature = defineFeature((): SwapSession => ({
  store: createStore<SwapState>(() => closedSwap),
  asking: undefined,
  stopWaiting: () => {},
  changedAt: -Infinity,
  generation: 0,
  stops: [],
}))

/** Returns the swap session of an instance. */
export function swapSessionOf(latchkey: Latchkey): SwapSession {
  return getFeature(latchkey, swapFeature)
}

/**
 * Returns the swap form as a store.
 *
 * @example swapState(latchkey).subscribe(({ quote }) => show(quote))
 */
export function swapState(latchkey: Latchkey): StoreApi<SwapState> {
  return swapSessionOf(latchkey).store
}

/** Returns the token of one side, with its current balance and price. */
export function chosenSwapToken(state: SwapState, side: SwapSide): SwapToken | undefined {
  return tokenOf(state, state[side])
}

/** Returns the network's native currency from the tokens. */
export function nativeToken({ tokens }: SwapState): SwapToken | undefined {
  return tokens.find(({ address }) => address === undefined)
}

/** Finds a token by its id. */
export function tokenOf({ tokens }: SwapState, id: string | undefined): SwapToken | undefined {
  return tokens.find((token) => token.id === id)
}
