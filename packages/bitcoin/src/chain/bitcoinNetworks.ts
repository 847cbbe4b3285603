import { getChainReference } from '@latchkey/adapter-kit'
import type { ChainId, Network } from '@latchkey/protocol'

const currency = { name: 'Bitcoin', symbol: 'BTC', decimals: 8 } as const

/** Bitcoin's main network. It is read through public Esplora services unless you set `sources`. */
export const bitcoinMainnet: Network = /* @__PURE__ */ createBitcoinNetwork(
  '000000000019d6689c085ae165831e93',
  'Bitcoin',
  '',
)

/**
 * Describes a network of Bitcoin.
 *
 * @param id the CAIP-2 reference: the start of the genesis hash
 * @param path the path of the network on public Esplora services: '' for mainnet, `undefined` if they don't have it
 */
export function createBitcoinNetwork(id: string, name: string, path: string | undefined): Network {
  const hosts = path === undefined ? [] : [`https://mempool.space${path}/api`, `https://blockstream.info${path}/api`]
  return {
    id,
    caipNetworkId: `bip122:${id}`,
    chainNamespace: 'bip122',
    name,
    nativeCurrency: currency,
    rpcUrls: { default: { http: hosts } },
    blockExplorers:
      path === undefined ? undefined : { default: { name: 'mempool', url: `https://mempool.space${path}` } },
    testnet: path !== '',
  }
}

/** The networks that wallets offer in addition to those that an app configures, by CAIP-2 reference. */
const names: Readonly<Record<string, string>> = {
  '000000000019d6689c085ae165831e93': 'Bitcoin',
  '000000000933ea01ad0ee984209779ba': 'Bitcoin Testnet',
  '00000000da84f2bafbbc53dee25a72ae': 'Bitcoin Testnet4',
  '00000008819873e925422c1ff0f99f7c': 'Bitcoin Signet',
  '0f9188f13cb7b2c71f2a335e3a4fc328': 'Bitcoin Regtest',
  FRACTAL_BITCOIN_MAINNET: 'Fractal Bitcoin',
  FRACTAL_BITCOIN_TESTNET: 'Fractal Bitcoin Testnet',
}

/** Describes a chain that the app did not configure. It can't be read. */
export function unknownBitcoinNetwork(chainId: ChainId): Network {
  const id = getChainReference(chainId)
  return {
    id,
    caipNetworkId: chainId,
    chainNamespace: 'bip122',
    name: names[id] ?? `Unknown network ${id.slice(0, 12)}`,
    nativeCurrency: currency,
    rpcUrls: { default: { http: [] } },
  }
}
