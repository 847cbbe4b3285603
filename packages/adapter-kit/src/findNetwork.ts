import { type ChainId, type Network, networkError } from '@latchkey/protocol'

/**
 * Finds a configured network by its chain id.
 *
 * @throws LatchkeyError `network/not-found`
 * @example findNetwork(networks, connection.chainId)
 */
export function findNetwork(networks: readonly Network[], chainId: ChainId): Network {
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (network === undefined) throw networkError('network/not-found', { chainId })
  return network
}
