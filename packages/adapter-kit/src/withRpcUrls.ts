import type { ChainId, Network } from '@latchkey/protocol'

/** Endpoints by chain id, best first. */
export type RpcUrls = { readonly [chainId in ChainId]?: readonly string[] }

/**
 * Replaces the endpoints of a network with those that the app configured.
 *
 * @example withRpcUrls(solanaMainnet, { [solanaMainnet.caipNetworkId]: ['https://rpc.example'] })
 */
export function withRpcUrls(network: Network, rpcUrls: RpcUrls): Network {
  const http = rpcUrls[network.caipNetworkId]
  return http === undefined ? network : { ...network, rpcUrls: { ...network.rpcUrls, default: { http } } }
}
