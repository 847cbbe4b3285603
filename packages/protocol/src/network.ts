import type { ChainId } from './caip/accountId.ts'
import type { Namespace } from './namespaces.ts'

/** A blockchain network that an app offers. */
export type Network = {
  /** The id within the namespace: `1` for Ethereum, a genesis-hash prefix for Solana. */
  id: number | string
  /** The CAIP-2 id. */
  caipNetworkId: ChainId
  chainNamespace: Namespace
  name: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpcUrls: {
    /** The RPC endpoints that the app uses, best first. */
    default: { http: readonly string[] }
    /** The RPC endpoints that a wallet receives when the app adds the network. */
    chainDefault?: { http: readonly string[] }
  }
  blockExplorers?: { default: { name: string; url: string } }
  assets?: { imageId?: string; imageUrl?: string }
  testnet?: boolean
  /** The name service's resolver, if it differs from the namespace's default address. */
  contracts?: { ensUniversalResolver?: { address: string } }
}
