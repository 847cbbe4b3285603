import { getField, type ChainId, type Network } from '@latchkey/protocol'
import { genericFormat } from '../chain/polkadotNetworks.ts'

/** Returns the SS58 format of a network's addresses, or the generic format if the network does not name one. */
export function getSs58Format(networks: readonly Network[], chainId: ChainId): number {
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const format = getField(network, 'ss58Format')
  return typeof format === 'number' ? format : genericFormat
}
