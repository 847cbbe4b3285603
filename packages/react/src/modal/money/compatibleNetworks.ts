import type { Latchkey } from '@latchkey/core'
import { isNetworkApproved } from '@latchkey/core/internal'
import { sharesAddresses, type Network } from '@latchkey/protocol'

/** Returns the networks on which the owner of an address has the same address, the given network first. */
export function compatibleNetworks(
  latchkey: Pick<Latchkey, 'networks' | 'wallet'>,
  network: Network,
): readonly Network[] {
  const others = latchkey.networks.filter(
    (other) =>
      other.caipNetworkId !== network.caipNetworkId &&
      sharesAddresses(network, other) &&
      isNetworkApproved(latchkey, other),
  )
  return [network, ...others]
}
