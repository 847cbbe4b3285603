import type { ChainId, Network } from '@latchkey/protocol'

/** A network of Polkadot, and the number that its addresses begin with (the SS58 registry). */
export type PolkadotNetwork = Network & { readonly ss58Format: number }

/** Addresses of no network in particular. */
export const genericFormat = 42

/** The relay chain. It is read through the public endpoint of its makers unless its `rpcUrls` say otherwise. */
export const polkadotMainnet: PolkadotNetwork = /* @__PURE__ */ networkOf({
  id: '91b171bb158e2d3848fa23a9f1c25182',
  name: 'Polkadot',
  symbol: 'DOT',
  decimals: 10,
  ss58Format: 0,
  host: 'rpc.polkadot.io',
})

/** The canary network. */
export const kusama: PolkadotNetwork = /* @__PURE__ */ networkOf({
  id: 'b0a8d493285c2df73290dfb7e61f870f',
  name: 'Kusama',
  symbol: 'KSM',
  decimals: 12,
  ss58Format: 2,
  host: 'kusama-rpc.polkadot.io',
})

/** The test network. */
export const westend: PolkadotNetwork = /* @__PURE__ */ networkOf({
  id: 'e143f23803ac50e8f6f8e62695d1ce9e',
  name: 'Westend',
  symbol: 'WND',
  decimals: 12,
  ss58Format: genericFormat,
  host: 'westend-rpc.polkadot.io',
})

type Facts = { id: string; name: string; symbol: string; decimals: number; ss58Format: number; host: string }

function networkOf({ id, name, symbol, decimals, ss58Format, host }: Facts): PolkadotNetwork {
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

/** What can be said of a chain that the app did not configure: there is no way to read it. */
export function unknownNetworkOf(chainId: ChainId): PolkadotNetwork {
  const id = referenceOf(chainId)
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

/** How the hash of a chain's first block begins. */
export function referenceOf(chainId: ChainId): string {
  return chainId.slice(chainId.indexOf(':') + 1)
}
