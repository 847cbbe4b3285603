/** One holding of `GET /v1/account/{address}/balance`. Amounts are decimal strings, never floats. */
export type TokenBalance = {
  name: string
  symbol: string
  /** CAIP-2 id of the network. */
  chainId: string
  /** CAIP-10 id of the token contract. Absent for the native currency. */
  address?: string
  /** Value in the requested currency. Absent if no price is known. */
  value?: number
  /** Price of one unit in the requested currency. `0` if unknown. */
  price: number
  quantity: { decimals: string; numeric: string }
  iconUrl: string
}

/** The response of `GET /v1/account/{address}/balance`. */
export type BalanceResponse = { balances: readonly TokenBalance[] }
