import type { TokenBalance } from '@latchkey/protocol'
import type { Chain } from '../../kit/chains.ts'

/** Where balances come from: our own reading of the chain, or a provider. */
export type BalanceSource = {
  /**
   * What an address holds on one chain: the native currency first, then tokens of which it has any.
   *
   * @throws anything when the source cannot tell
   */
  balances(chain: Chain, address: string): Promise<readonly TokenBalance[]>
}
