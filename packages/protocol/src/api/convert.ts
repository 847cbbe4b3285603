/** One token of `GET /v1/convert/tokens`. */
export type ConvertToken = {
  name: string
  symbol: string
  /** CAIP-10 id of the contract; of `0xeeee…eeee` for the native currency. */
  address: string
  decimals: number
  logoUri: string | null
  /** Whether it takes signed approvals (EIP-2612). */
  eip2612: boolean
}

/** What `GET /v1/convert/tokens` answers. */
export type ConvertTokensAnswer = { tokens: readonly ConvertToken[] }

/** One step of a route: from a token into the next one, on an exchange. */
export type ConvertHop = {
  /** The exchange, as people call it: `Uniswap v3`. */
  exchange: string
  /** CAIP-10 ids of what goes in and what comes out. */
  from: string
  to: string
  /** What the pool keeps, in percent of what goes in. */
  fee?: number
}

/** One quote of `GET /v1/convert/quotes`. Amounts are base units as decimal texts. */
export type ConvertQuote = {
  /** Binds the route that was quoted; to be given to `build-transaction`. */
  id: string | null
  fromAmount: string
  fromAccount: string
  toAmount: string
  toAccount: string
  /** CAIP-10 id of the contract that swaps: whom an allowance is for, and whom the swap is sent to. */
  spender?: string
  /** What the swap takes, in units of gas. */
  gas?: string
  /** How much worse the price is than that of a tiny swap, in percent; absent when nobody can tell. */
  priceImpact?: number
  route?: readonly ConvertHop[]
}

/** What `GET /v1/convert/quotes` answers, best first. */
export type ConvertQuotesAnswer = { quotes: readonly ConvertQuote[] }

/** What `GET /v1/convert/allowance` answers, in base units. */
export type ConvertAllowanceAnswer = { allowance: string }

/** What `GET /v1/convert/gas-price` answers, in wei. */
export type ConvertGasPriceAnswer = { standard: string; fast: string; instant: string }

/** What `POST /v1/convert/build-transaction` is told. */
export type ConvertTransactionQuestion = {
  projectId?: string
  /** Base units. */
  amount: string
  from: string
  to: string
  userAddress: string
  /** Slippage in percent. */
  eip155: { slippage: number | string; permit?: string }
  /** Do not try it on the chain: an allowance may still be missing. */
  disableEstimate?: boolean
  /** The quote that this is about; the best route of the moment when left out. */
  quoteId?: string
}

/** What `POST /v1/convert/build-transaction` answers. */
export type ConvertTransactionAnswer = {
  tx: {
    from: string
    to: string
    data: string
    /** Native currency to send along, in wei. */
    amount: string
    eip155: { gas: string; gasPrice: string }
    /** The least that it gives, or it reverts: base units of the token that is wanted. */
    minimum?: string
  }
}

/** What `GET /v1/convert/build-approve` answers. */
export type ConvertApprovalAnswer = {
  tx: { from: string; to: string; data: string; value: string; eip155: { gas?: string; gasPrice: string } }
}
