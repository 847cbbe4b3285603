import type { TokenBalance } from '@latchkey/protocol'
import type { Chain } from '../../kit/chains.ts'

/** Where prices come from: contracts of the chain, or a provider. */
export type PriceSource = {
  /**
   * What one whole unit of each asset is worth in a currency. An asset whose price is not known is not there.
   *
   * @param assets `native`, or addresses of tokens; the answer has them as they were asked
   * @throws anything when the source cannot tell now
   */
  prices(chain: Chain, assets: readonly string[], currency: string): Promise<ReadonlyMap<string, number>>
}

/** How a holding is called where its price is asked. */
export function assetOf({ address }: Pick<TokenBalance, 'address'>): string {
  return address === undefined ? 'native' : address.slice(address.lastIndexOf(':') + 1)
}
