/** An address or other bytes, as text. */
export type Hex = `0x${string}`

/** What stands for the native currency where a contract is expected. */
export const nativeAddress: Hex = `0x${'e'.repeat(40)}`

/** What is to be swapped: addresses in lower case, the native currency by the address that stands for it. */
export type SwapQuestion = { from: Hex; to: Hex; amount: bigint }

/** One step of a route. */
export type Hop = { exchange: string; from: Hex; to: Hex; /** In percent. */ fee?: number }

/** What a swap would give. */
export type Quote = {
  /** Says the route, to the source that made it. */
  id: string
  received: bigint
  /** Units of gas that it takes. */
  gas?: bigint
  /** How much worse the price is than that of a tiny swap, in percent. */
  impact?: number
  hops: readonly Hop[]
}

/** A swap that somebody wants to send. */
export type Order = SwapQuestion & {
  user: Hex
  /** How much less than quoted may be received, in millionths. */
  slippage: bigint
  /** Of the quote that was agreed upon; the best of the moment when left out. */
  quoteId?: string
}

/** A swap as it is sent. */
export type BuiltSwap = {
  to: Hex
  data: Hex
  value: bigint
  /** What it probably takes, with something in hand; used where it is not tried on the chain. */
  gas: bigint
  /** What it may take more than a try of this moment shows. */
  spare: bigint
  minimum: bigint
}

/** Where the routes of one chain come from: contracts of the chain, or a provider. */
export type RouteSource = {
  /** The one contract that takes tokens, and that swaps are sent to. */
  spender: Hex
  /** The token that the native currency is swapped as, where it is known: it can be swapped too. */
  wrappedNative?: Hex
  /**
   * @param gasPrice what gas costs, in wei, as far as the caller knows
   * @returns the best first, at least one
   * @throws Problem when there is no route, or nothing behind it
   */
  quotes(question: SwapQuestion, gasPrice?: bigint): Promise<readonly Quote[]>
  /** @throws Problem as quotes do, and when the id is not of a quote for this */
  build(order: Order): Promise<BuiltSwap>
}

const million = 1_000_000n

/** The least that is taken for a quote, rounded in favour of whoever receives it. */
export function minimumOf(received: bigint, slippage: bigint): bigint {
  return received - (received * slippage) / million
}
