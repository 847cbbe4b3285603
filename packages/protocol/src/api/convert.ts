/** One token of `GET /v1/convert/tokens`. */
export type ConvertToken = {
  name: string
  symbol: string
  /** CAIP-10 id of the contract, or of `0xeeee…eeee` for the native currency. */
  address: string
  decimals: number
  logoUri: string | null
  /** True if the token supports permits (EIP-2612). */
  eip2612: boolean
}

/** The response of `GET /v1/convert/tokens`. */
export type ConvertTokensResponse = {
  tokens: readonly ConvertToken[]
  /** True if quotes accept `exact=output`. */
  exactOutput?: boolean
}

/** The side of a swap that its amount counts: the token to sell, or the token to receive. */
export type ConvertExact = 'input' | 'output'

/** One step of a route: a swap from one token to the next on one exchange. */
export type ConvertHop = {
  /** The display name of the exchange: `Uniswap v3`. */
  exchange: string
  /** CAIP-10 ids of the input and output tokens. */
  from: string
  to: string
  /** The pool fee, in percent of the input. */
  fee?: number
}

/** One quote of `GET /v1/convert/quotes`. Amounts are base units as decimal strings. */
export type ConvertQuote = {
  /** Identifies the quoted route. Pass it to `build-transaction`. */
  id: string | null
  fromAmount: string
  fromAccount: string
  toAmount: string
  toAccount: string
  /** CAIP-10 id of the swap contract. It needs the allowance and receives the transaction. */
  spender?: string
  /** Estimated gas of the swap, in gas units. */
  gas?: string
  /** Price impact compared to a tiny swap, in percent. Absent if unknown. */
  priceImpact?: number
  route?: readonly ConvertHop[]
}

/** The response of `GET /v1/convert/quotes`, best quote first. */
export type ConvertQuotesResponse = { quotes: readonly ConvertQuote[] }

/** The response of `GET /v1/convert/allowance`, in base units. */
export type ConvertAllowanceResponse = { allowance: string }

/** The response of `GET /v1/convert/gas-price`, in wei. */
export type ConvertGasPriceResponse = { standard: string; fast: string; instant: string }

/** The request body of `POST /v1/convert/build-transaction`. */
export type ConvertTransactionRequest = {
  projectId?: string
  /** Base units of the token to sell, or of the token to receive if `exact` is `output`. */
  amount: string
  from: string
  to: string
  /** Default: `input`. */
  exact?: ConvertExact
  userAddress: string
  /** Slippage in percent. */
  eip155: { slippage: number | string; permit?: string }
  /** Skips the gas estimate, because the allowance may still be missing. */
  disableEstimate?: boolean
  /** The quote to execute. Default: the best current route. */
  quoteId?: string
}

/** The response of `POST /v1/convert/build-transaction`. */
export type ConvertTransactionResponse = {
  tx: {
    from: string
    to: string
    data: string
    /** Native currency to send with the transaction, in wei. */
    amount: string
    eip155: { gas: string; gasPrice: string }
    /** Minimum received, in base units of the target token. The transaction reverts below it. */
    minimum?: string
    /** The most that is taken, in base units of the sold token. The transaction reverts above it. */
    maximum?: string
  }
}

/** The response of `GET /v1/convert/build-approve`. */
export type ConvertApprovalResponse = {
  tx: { from: string; to: string; data: string; value: string; eip155: { gas?: string; gasPrice: string } }
}
