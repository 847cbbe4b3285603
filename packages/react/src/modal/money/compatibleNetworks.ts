import { isApproved, type Latchkey } from '@latchkey/core'
import { sharesAddresses, type Network } from '@latchkey/protocol'

/** The networks on which an address of one network is the same owner's, that one first. */
export function compatibleNetworks(latchkey: Latchkey, network: Network): readonly Network[] {
  const others = latchkey.networks.filter(
    (other) =>
      other.caipNetworkId !== network.caipNetworkId && sharesAddresses(network, other) && isApproved(latchkey, other),
  )
  return [network, ...others]
}
