import type { TokenBalance } from '@latchkey/protocol'
import type { Chain } from '../../kit/chains.ts'

export type BalanceOptions = {
  /** Nothing that was kept from before. */
  fresh?: boolean
  /** Contracts to look at beside those that the source knows. */
  also?: readonly string[]
}

/** Where balances come from: our own reading of the chain, or a provider. */
export type BalanceSource = {
  /** Whether it can tell the balances of a chain. */
  covers(chain: Chain): boolean
  /**
   * What an address holds on one chain: the native currency first, then tokens of which it has any.
   *
   * @throws anything when the source cannot tell
   */
  balances(chain: Chain, address: string, options?: BalanceOptions): Promise<readonly TokenBalance[]>
}
