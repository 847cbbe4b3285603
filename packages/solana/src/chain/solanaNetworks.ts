import { formatExplorerUrl, getChainReference } from '@latchkey/adapter-kit'
import type { ChainId, Network } from '@latchkey/protocol'

/** The explorer of the Solana Foundation, which supports every cluster. */
const explorer = { default: { name: 'Solana Explorer', url: 'https://explorer.solana.com' } }

/** Solana's main network. */
export const solanaMainnet: Network = createCluster('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'Solana', 'mainnet-beta')
/** The test network for app developers. */
export const solanaDevnet: Network = createCluster('EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'Solana Devnet', 'devnet')
/** The test network for validator developers. */
export const solanaTestnet: Network = createCluster('4uhcVJyU9pJkvQyS88uRDiswHScsE7vD', 'Solana Testnet', 'testnet')

/** The three public clusters. */
export const solanaNetworks: readonly [Network, Network, Network] = [solanaMainnet, solanaDevnet, solanaTestnet]

/** Returns the Wallet Standard's name of a chain. All local chains are called `localnet`. */
export function toStandardChain(chainId: ChainId): `solana:${string}` {
  if (chainId === solanaMainnet.caipNetworkId) return 'solana:mainnet'
  if (chainId === solanaDevnet.caipNetworkId) return 'solana:devnet'
  return chainId === solanaTestnet.caipNetworkId ? 'solana:testnet' : 'solana:localnet'
}

/** Describes a chain that the app did not configure. Only the public clusters can be read. */
export function unknownSolanaNetwork(chainId: ChainId): Network {
  const known = solanaNetworks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (known !== undefined) return known
  const { chainNamespace, nativeCurrency } = solanaMainnet
  const reference = getChainReference(chainId)
  return {
    chainNamespace,
    nativeCurrency,
    id: reference,
    caipNetworkId: chainId,
    name: `Unknown network ${reference}`,
    rpcUrls: { default: { http: [] } },
  }
}

/** The explorer's page for an address or a transaction. The explorer of the Solana Foundation takes the cluster as a query. */
export function getSolanaExplorerUrl(
  network: Network,
  target: { address: string } | { transaction: string },
): string | undefined {
  const url = formatExplorerUrl(network, target)
  const name = toStandardChain(network.caipNetworkId).slice('solana:'.length)
  if (url === undefined || name === 'mainnet') return url
  if (name !== 'localnet') return `${url}?cluster=${name}`
  const [rpcUrl] = network.rpcUrls.default.http
  if (!url.startsWith(`${explorer.default.url}/`) || rpcUrl === undefined) return url
  return `${url}?cluster=custom&customUrl=${encodeURIComponent(rpcUrl)}`
}

function createCluster(id: string, name: string, host: string): Network {
  const http = [`https://api.${host}.solana.com`]
  return {
    id,
    caipNetworkId: `solana:${id}`,
    chainNamespace: 'solana',
    name,
    nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
    rpcUrls: { default: { http }, chainDefault: { http } },
    blockExplorers: explorer,
    testnet: host !== 'mainnet-beta',
  }
}
