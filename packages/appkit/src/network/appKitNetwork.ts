import { formatChainId, type ChainId, type Namespace, type Network } from '@latchkey/protocol'

/**
 * A network as apps pass it: a chain of viem, a network of `@latchkey/appkit/networks`, or one of your own. Without a
 * namespace, it is an EVM chain.
 */
export type AppKitNetwork = {
  readonly id: number | string
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpcUrls: { readonly default: { readonly http: readonly string[] } }
  readonly blockExplorers?: { readonly default: { readonly name: string; readonly url: string } }
  readonly testnet?: boolean
  readonly contracts?: { readonly [name: string]: unknown }
  readonly chainNamespace?: Namespace
  readonly caipNetworkId?: ChainId
  readonly assets?: { readonly imageId?: string; readonly imageUrl?: string }
}

/** The networks of an app, at least one. */
export type AppKitNetworks = readonly [AppKitNetwork, ...AppKitNetwork[]]

/** A network with its CAIP-2 id. */
export type CaipNetwork = AppKitNetwork & { readonly chainNamespace: Namespace; readonly caipNetworkId: ChainId }

/** RPC endpoints that take precedence over those of a network, by its CAIP-2 id, best first. */
export type CustomRpcUrls = { readonly [caipNetworkId in ChainId]?: readonly { readonly url: string }[] }

/** Returns a network with its namespace and CAIP-2 id. */
export function toCaipNetwork(network: AppKitNetwork): CaipNetwork {
  const { chainNamespace = 'eip155', id } = network
  const caipNetworkId = network.caipNetworkId ?? formatChainId({ namespace: chainNamespace, reference: String(id) })
  return { ...network, chainNamespace, caipNetworkId }
}

/** Returns a network with the endpoints of the app first. */
export function withCustomRpcUrls(network: CaipNetwork, customRpcUrls: CustomRpcUrls = {}): CaipNetwork {
  const custom = customRpcUrls[network.caipNetworkId]?.map(({ url }) => url) ?? []
  if (custom.length === 0) return network
  const { default: own } = network.rpcUrls
  const http = [...custom, ...own.http.filter((url) => !custom.includes(url))]
  return { ...network, rpcUrls: { ...network.rpcUrls, default: { ...own, http } } }
}

/** Converts a network for an adapter outside eip155. */
export function toNetwork(network: CaipNetwork): Network {
  const { contracts: _contracts, rpcUrls, ...described } = network
  return { ...described, rpcUrls: { default: { http: rpcUrls.default.http } } }
}
