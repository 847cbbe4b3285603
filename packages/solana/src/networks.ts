import type { ChainId, Network } from '@latchkey/protocol'

/** The explorer of the Solana Foundation, which looks at any cluster. */
const explorer = { default: { name: 'Solana Explorer', url: 'https://explorer.solana.com' } }

/** Solana's main network. */
export const solanaMainnet: Network = cluster('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'Solana', 'mainnet-beta')
/** The network that developers try their apps on. */
export const solanaDevnet: Network = cluster('EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'Solana Devnet', 'devnet')
/** The network that Solana's own developers try their validators on. */
export const solanaTestnet: Network = cluster('4uhcVJyU9pJkvQyS88uRDiswHScsE7vD', 'Solana Testnet', 'testnet')

/** What wallets of the page call a chain (Wallet Standard). Chains of one's own are all called `localnet`. */
export function standardChain(chainId: ChainId): `solana:${string}` {
  if (chainId === solanaMainnet.caipNetworkId) return 'solana:mainnet'
  if (chainId === solanaDevnet.caipNetworkId) return 'solana:devnet'
  return chainId === solanaTestnet.caipNetworkId ? 'solana:testnet' : 'solana:localnet'
}

/** What can be said of a chain that the app did not configure: all of the public clusters, little of another. */
export function unknownNetworkOf(chainId: ChainId): Network {
  const known = [solanaMainnet, solanaDevnet, solanaTestnet].find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (known !== undefined) return known
  const { chainNamespace, nativeCurrency } = solanaMainnet
  const reference = chainId.slice(chainId.indexOf(':') + 1)
  return {
    chainNamespace,
    nativeCurrency,
    id: reference,
    caipNetworkId: chainId,
    name: `Unknown network ${reference}`,
    rpcUrls: { default: { http: [] } },
  }
}

/** Where an explorer shows something of a network; the one of Solana's foundation is told the cluster. */
export function explorerUrlOf(
  { blockExplorers, caipNetworkId, rpcUrls }: Network,
  what: { address: string } | { transaction: string },
): string | undefined {
  if (blockExplorers === undefined) return undefined
  const path = 'address' in what ? `address/${what.address}` : `tx/${what.transaction}`
  const base = blockExplorers.default.url.replace(/\/$/, '')
  const name = standardChain(caipNetworkId).slice('solana:'.length)
  if (name === 'mainnet') return `${base}/${path}`
  if (name !== 'localnet') return `${base}/${path}?cluster=${name}`
  const [rpcUrl] = rpcUrls.default.http
  const isOfFoundation = base === explorer.default.url && rpcUrl !== undefined
  return `${base}/${path}${isOfFoundation ? `?cluster=custom&customUrl=${encodeURIComponent(rpcUrl)}` : ''}`
}

function cluster(id: string, name: string, host: string): Network {
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
