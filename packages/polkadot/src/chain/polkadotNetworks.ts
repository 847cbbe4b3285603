import { getChainReference } from '@latchkey/adapter-kit'
import type { ChainId, Network } from '@latchkey/protocol'

/** A network of Polkadot with the format of its addresses (SS58 registry). */
export type PolkadotNetwork = Network & { readonly ss58Format: number }

/** The SS58 format of addresses that belong to no network. */
export const genericFormat = 42

/** The Polkadot relay chain. It is read through the public endpoint of its developers unless you change its `rpcUrls`. */
export const polkadotMainnet: PolkadotNetwork = /* @__PURE__ */ createPolkadotNetwork({
  id: '91b171bb158e2d3848fa23a9f1c25182',
  name: 'Polkadot',
  symbol: 'DOT',
  decimals: 10,
  ss58Format: 0,
  host: 'rpc.polkadot.io',
})

/** Polkadot's canary network. */
export const kusama: PolkadotNetwork = /* @__PURE__ */ createPolkadotNetwork({
  id: 'b0a8d493285c2df73290dfb7e61f870f',
  name: 'Kusama',
  symbol: 'KSM',
  decimals: 12,
  ss58Format: 2,
  host: 'kusama-rpc.polkadot.io',
})

/** Polkadot's test network. */
export const westend: PolkadotNetwork = /* @__PURE__ */ createPolkadotNetwork({
  id: 'e143f23803ac50e8f6f8e62695d1ce9e',
  name: 'Westend',
  symbol: 'WND',
  decimals: 12,
  ss58Format: genericFormat,
  host: 'westend-rpc.polkadot.io',
})

type NetworkFacts = { id: string; name: string; symbol: string; decimals: number; ss58Format: number; host: string }

function createPolkadotNetwork({ id, name, symbol, decimals, ss58Format, host }: NetworkFacts): PolkadotNetwork {
  const explorer = `https://${name.toLowerCase()}.subscan.io`
  return {
    id,
    caipNetworkId: `polkadot:${id}`,
    chainNamespace: 'polkadot',
    name,
    nativeCurrency: { name: symbol, symbol, decimals },
    rpcUrls: { default: { http: [`https://${host}`] } },
    blockExplorers: { default: { name: 'Subscan', url: explorer } },
    testnet: name === 'Westend',
    ss58Format,
  }
}

/** Describes a chain that the app did not configure. It can't be read. */
export function unknownPolkadotNetwork(chainId: ChainId): PolkadotNetwork {
  const known = [polkadotMainnet, kusama, westend].find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (known !== undefined) return known
  const id = getChainReference(chainId)
  return {
    id,
    caipNetworkId: chainId,
    chainNamespace: 'polkadot',
    name: `Unknown network ${id.slice(0, 12)}`,
    nativeCurrency: { name: 'Unit', symbol: 'UNIT', decimals: 12 },
    rpcUrls: { default: { http: [] } },
    ss58Format: genericFormat,
  }
}
