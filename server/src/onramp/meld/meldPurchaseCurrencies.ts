import { Problem } from '../../kit/http/problem.ts'
import type { PurchaseCurrency } from '../onRampProvider.ts'

/** The assets that Meld sells, with Meld's code of each on each chain [R9.4.6]: eip155 and solana. */
const meldAssets: ReadonlyArray<{
  symbol: string
  name: string
  decimals: number
  chains: Readonly<Record<string, string>>
}> = [
  {
    symbol: 'ETH',
    name: 'Ether',
    decimals: 18,
    chains: {
      'eip155:1': 'ETH',
      'eip155:10': 'ETH_OPTIMISM',
      'eip155:8453': 'ETH_BASE',
      'eip155:42161': 'ETH_ARBITRUM',
    },
  },
  {
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    chains: {
      'eip155:1': 'USDC',
      'eip155:10': 'USDC_OPTIMISM',
      'eip155:137': 'USDC_POLYGON',
      'eip155:8453': 'USDC_BASE',
      'eip155:42161': 'USDC_ARBITRUM',
      'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'USDC_SOLANA',
    },
  },
  { symbol: 'SOL', name: 'Solana', decimals: 9, chains: { 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'SOL' } },
]

/** The names of the chains that Meld delivers to. */
export const meldChainNames: Readonly<Record<string, string>> = {
  'eip155:1': 'Ethereum',
  'eip155:10': 'OP Mainnet',
  'eip155:137': 'Polygon',
  'eip155:8453': 'Base',
  'eip155:42161': 'Arbitrum One',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'Solana',
}

/** The assets of Meld in our format. */
export const meldPurchaseCurrencies: readonly PurchaseCurrency[] = meldAssets.map(
  ({ symbol, name, decimals, chains }) => ({
    id: symbol,
    name,
    symbol,
    decimals,
    networks: Object.keys(chains).map((caip) => ({
      name: caip,
      display_name: meldChainNames[caip] ?? caip,
      chain_id: caip.slice(caip.indexOf(':') + 1),
      caip_network_id: caip,
      contract_address: '',
    })),
  }),
)

/**
 * Gets Meld's code of an asset on a chain.
 *
 * @throws Problem 400 `network` if Meld does not deliver the asset there
 */
export function getMeldCode({ symbol }: PurchaseCurrency, chainId: string): string {
  const code = meldAssets.find((asset) => asset.symbol === symbol)?.chains[chainId]
  if (code === undefined) throw new Problem(400, 'network', 'Meld does not deliver this on that network.')
  return code
}
