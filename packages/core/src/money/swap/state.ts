import type { AccountId, ChainId, ConvertHop, LatchkeyError } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Call } from '../../adapter.ts'
import { companion } from '../../companion.ts'
import type { Latchkey } from '../../latchkey.ts'

/** Which of the two tokens: the one that is given, or the one that is wanted. */
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
  /** What the account holds, in base units; absent when nobody said. */
  readonly balance?: bigint
  /** Dollars for one of it; absent when nobody knows. */
  readonly price?: number
}

/** What somebody wants to know of a swap. */
export type SwapQuestion = {
  readonly account: AccountId
  readonly chainId: ChainId
  readonly from: SwapToken
  readonly to: SwapToken
  /** What is given, in base units. */
  readonly amount: bigint
}

/** What a swap would give at one moment. */
export type SwapQuote = {
  /** What was asked. */
  readonly question: SwapQuestion
  /** The server's name for the route. */
  readonly id: string | undefined
  /** What it would give, in base units of the wanted token. */
  readonly toAmount: bigint
  /** CAIP-10 id of the contract that swaps. */
  readonly spender: string
  /** What the network takes, in base units of its native currency; undefined when nobody can say. */
  readonly fee: SwapFee | undefined
  /** How much worse than the price of a tiny swap, in percent; undefined when nobody can tell. */
  readonly impact: number | undefined
  readonly route: readonly ConvertHop[]
  /** When it was asked for, in milliseconds since the epoch. */
  readonly at: number
}

/** What a swap costs beside the tokens. */
export type SwapFee = {
  readonly value: bigint
  /** What has to be there for it: prices of gas go up before a transaction is mined. */
  readonly most: bigint
}

/** What is known of the price. */
export type QuoteState =
  | { readonly status: 'none' }
  /** On its way; the one before stays in sight when it is about the same tokens. */
  | { readonly status: 'waiting'; readonly last: SwapQuote | undefined }
  | { readonly status: 'ready'; readonly quote: SwapQuote }
  | { readonly status: 'failed'; readonly error: LatchkeyError }

/** What the wallet is asked for next: to allow it first, to swap, or both in one consent. */
export type SwapWay = 'approve' | 'swap' | 'batch'

/** A call that the wallet is to be asked for. What pools take depends on the block, so the wallet is told how much it may be. */
export type SwapCall = Call & { readonly gas?: bigint }

/** What is about to be signed. */
export type SwapOrder =
  | { readonly status: 'none' }
  /** Allowances are looked up, and the transaction is built. */
  | { readonly status: 'checking'; readonly agreed: SwapQuote }
  | {
      readonly status: 'ready'
      readonly way: SwapWay
      /** What the visitor sees and says yes to. */
      readonly agreed: SwapQuote
      /** The least that it gives, in base units. */
      readonly minimum: bigint
      /** What the wallet will be asked for, checked. */
      readonly calls: readonly SwapCall[]
      /** Why it did not happen at the last try. */
      readonly error?: LatchkeyError
    }
  /** The wallet is asked. */
  | { readonly status: 'asking'; readonly way: SwapWay; readonly agreed: SwapQuote; readonly minimum: bigint }
  /** The approval is sent, and not mined yet. */
  | { readonly status: 'approving'; readonly hash: string; readonly agreed: SwapQuote; readonly minimum: bigint }
  | { readonly status: 'failed'; readonly agreed: SwapQuote; readonly error: LatchkeyError }

/** Where swapping stands. */
export type SwapState = {
  readonly status: 'closed' | 'loading' | 'open' | 'failed'
  /** Why there is nothing to choose from. */
  readonly error?: LatchkeyError
  readonly account?: AccountId
  readonly chainId?: ChainId
  /** All that can be swapped on this network. */
  readonly tokens: readonly SwapToken[]
  /** The ids of the tokens that were chosen. */
  readonly from?: string
  readonly to?: string
  /** What is given, as it was typed. */
  readonly amount: string
  /** Whether it is to be all that there is. */
  readonly isMax: boolean
  /** How much worse the price may become before it is mined, in percent [R9.5.1]. */
  readonly slippage: number
  readonly quote: QuoteState
  readonly order: SwapOrder
}

/** Percent [R9.5.1]. */
export const defaultSlippage = 1

export const closedSwap: SwapState = {
  status: 'closed',
  tokens: [],
  amount: '',
  isMax: false,
  slippage: defaultSlippage,
  quote: { status: 'none' },
  order: { status: 'none' },
}

/** What belongs to swapping and is nobody's state. */
export type SwapDesk = {
  readonly store: StoreApi<SwapState>
  /** The question for a price that is on its way, or waits until typing rests. */
  asking: AbortController | undefined
  stopWaiting: () => void
  /** Counts what the visitor began: an answer to what he left is dropped. */
  turn: number
  /** Ends following the account and the modal. */
  stops: Array<() => void>
}

const key = Symbol('swap')

/** What an instance keeps for swapping. */
export function deskOf(latchkey: Latchkey): SwapDesk {
  return companion(latchkey, key, () => ({
    store: createStore<SwapState>(() => closedSwap),
    asking: undefined,
    stopWaiting: () => {},
    turn: 0,
    stops: [],
  }))
}

/**
 * Where swapping stands, as a store.
 *
 * @example swapState(latchkey).subscribe(({ quote }) => show(quote))
 */
export function swapState(latchkey: Latchkey): StoreApi<SwapState> {
  return deskOf(latchkey).store
}

/** The token on one side, with what is known of it now. */
export function chosenSwapToken(state: SwapState, side: SwapSide): SwapToken | undefined {
  return tokenOf(state, state[side])
}

/** The network's native currency among the tokens. */
export function nativeToken({ tokens }: SwapState): SwapToken | undefined {
  return tokens.find(({ address }) => address === undefined)
}

export function tokenOf({ tokens }: SwapState, id: string | undefined): SwapToken | undefined {
  return tokens.find((token) => token.id === id)
}
