import type { ChainId } from './caip.ts'
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
    /** What the app reads through, best first. */
    default: { http: readonly string[] }
    /** What a wallet is given when it is asked to add the network. */
    chainDefault?: { http: readonly string[] }
  }
  blockExplorers?: { default: { name: string; url: string } }
  assets?: { imageId?: string; imageUrl?: string }
  testnet?: boolean
  /** Where names of the family's name service are looked up, when not where the family always has it. */
  contracts?: { ensUniversalResolver?: { address: string } }
}
