/** An address or other bytes, as text. */
export type Hex = `0x${string}`

/** The address that represents the native currency. */
export const nativeAddress: Hex = `0x${'e'.repeat(40)}`

/** The side of a swap that `amount` counts. */
export type ExactSide = 'input' | 'output'

/** A swap. Addresses are in lower case; `nativeAddress` represents the native currency. */
export type SwapRequest = {
  from: Hex
  to: Hex
  /** The amount to sell, or the amount to receive if `exact` is `output`. */
  amount: bigint
  /** `input` by default. */
  exact?: ExactSide
}

/** One step of a route. */
export type Hop = { exchange: string; from: Hex; to: Hex; /** In percent. */ fee?: number }

/** A quote of a swap. */
export type Quote = {
  /** Identifies the route for the source that created it. */
  id: string
  sold: bigint
  received: bigint
  /** Gas of the swap. */
  gas?: bigint
  /** Price impact in percent, without fees. */
  impact?: number
  hops: readonly Hop[]
}

/** A swap to be built. */
export type SwapOrder = SwapRequest & {
  user: Hex
  /** Slippage in millionths. */
  slippage: bigint
  /** The accepted quote. Without it the best current quote is used. */
  quoteId?: string
}

/** The transaction of a swap. */
export type BuiltSwap = {
  to: Hex
  data: Hex
  value: bigint
  /** Estimated gas, used without a simulation. */
  gas: bigint
  /** Gas that a simulation does not show. */
  spare: bigint
  /** The most that the swap takes, and the least that it gives. It reverts beyond them. */
  maximum: bigint
  minimum: bigint
}

/** A source of swap routes on one chain: its pools, or a provider. */
export type RouteSource = {
  /** The only contract that users approve and that swaps are sent to. */
  spender: Hex
  /** The wrapped native token, if known. It can be swapped too. */
  wrappedNative?: Hex
  /** True if it quotes exact outputs. */
  quotesOutput: boolean
  /**
   * @param gasPrice in wei, if the caller knows it
   * @returns at least one quote, best first
   * @throws Problem 400 if there is no route or not enough liquidity, and 400 `exact` if the output can't be exact
   */
  quotes(request: SwapRequest, gasPrice?: bigint): Promise<readonly Quote[]>
  /** @throws Problem like `quotes`, and 400 `quoteId` if the quote belongs to another swap */
  build(order: SwapOrder): Promise<BuiltSwap>
}

const million = 1_000_000n

/** Gets the minimum received amount of a quote, rounded up. */
export function getMinimumReceived(received: bigint, slippage: bigint): bigint {
  return received - (received * slippage) / million
}

/** Gets the maximum sold amount of a quote with an exact output, rounded down. */
export function getMaximumSold(sold: bigint, slippage: bigint): bigint {
  return sold + (sold * slippage) / million
}
