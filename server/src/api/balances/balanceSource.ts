import type { TokenBalance } from '@latchkey/protocol'
import type { Chain } from '../../kit/chain/chains.ts'

export type BalanceOptions = {
  /** Skips the cache. */
  fresh?: boolean
  /** Additional contracts to read. */
  also?: readonly string[]
}

/** A source of balances: the chain itself, or a provider. */
export type BalanceSource = {
  /** True if the source has the balances of a chain. */
  covers(chain: Chain): boolean
  /** Gets the balances of an address on one chain: the native currency first, then its tokens. */
  balances(chain: Chain, address: string, options?: BalanceOptions): Promise<readonly TokenBalance[]>
}
