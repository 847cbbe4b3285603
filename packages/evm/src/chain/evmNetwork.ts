import { getChainReference } from '@latchkey/adapter-kit'
import type { ChainId, Network } from '@latchkey/protocol'
import { knownEvmNetworks } from './knownEvmNetworks.ts'
import { getChainContract, type EvmChain } from './evmChain.ts'

/** Converts viem's description of a chain. */
export function toEvmNetwork(chain: EvmChain): Network {
  const { id, name, nativeCurrency, rpcUrls, blockExplorers, testnet } = chain
  const http = rpcUrls.default.http
  const explorer = blockExplorers?.default
  const resolver = getChainContract(chain, 'ensUniversalResolver')
  return {
    id,
    caipNetworkId: `eip155:${id}`,
    chainNamespace: 'eip155',
    name,
    nativeCurrency,
    rpcUrls: { default: { http }, chainDefault: { http } },
    blockExplorers: explorer === undefined ? undefined : { default: { name: explorer.name, url: explorer.url } },
    testnet,
    ...(resolver !== undefined && { contracts: { ensUniversalResolver: { address: resolver } } }),
  }
}

/** Describes a chain that the app did not configure. It can't be read. */
export function unknownEvmNetwork(chainId: ChainId): Network {
  const id = Number(getChainReference(chainId))
  const [name = `Unknown network ${id}`, currency] = knownEvmNetworks[id] ?? []
  return {
    id,
    caipNetworkId: chainId,
    chainNamespace: 'eip155',
    name,
    nativeCurrency: { name: currency ?? 'Ether', symbol: currency ?? 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  }
}
