/** One holding of `GET /v1/account/{address}/balance`. Amounts are decimal texts, never floats. */
export type TokenBalance = {
  name: string
  symbol: string
  /** CAIP-2 id of the network. */
  chainId: string
  /** CAIP-10 id of the token's contract; absent for the native currency. */
  address?: string
  /** Worth in the asked currency; absent when no price is known. */
  value?: number
  /** Price of one unit in the asked currency; `0` when not known. */
  price: number
  quantity: { decimals: string; numeric: string }
  iconUrl: string
}

/** What `GET /v1/account/{address}/balance` answers. */
export type BalanceAnswer = { balances: readonly TokenBalance[] }
