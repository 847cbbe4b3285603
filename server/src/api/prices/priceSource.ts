import type { TokenBalance } from '@latchkey/protocol'
import type { Chain } from '../../kit/chain/chains.ts'

/** A source of prices: contracts of the chain, or a provider. */
export type PriceSource = {
  /**
   * Gets the price of one whole unit of each asset. Assets without a known price are left out.
   *
   * @param assets `native` or token addresses; the result uses the same keys
   * @throws any error if the source is not available
   */
  prices(chain: Chain, assets: readonly string[], currency: string): Promise<ReadonlyMap<string, number>>
}

/** Gets the asset key of a balance. */
export function toPricedAsset({ address }: Pick<TokenBalance, 'address'>): string {
  return address === undefined ? 'native' : address.slice(address.lastIndexOf(':') + 1)
}
