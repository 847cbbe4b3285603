import type { ChainId, Network } from '@latchkey/protocol'

/** The chains of Bitcoin by the name that wallets give them, and the CAIP-2 reference: how the first block's hash begins. */
export const references = {
  mainnet: '000000000019d6689c085ae165831e93',
  testnet: '000000000933ea01ad0ee984209779ba',
  testnet4: '00000000da84f2bafbbc53dee25a72ae',
  signet: '00000008819873e925422c1ff0f99f7c',
  regtest: '0f9188f13cb7b2c71f2a335e3a4fc328',
} as const

/** What wallets call a chain of Bitcoin. */
export type ChainName = keyof typeof references

const currency = { name: 'Bitcoin', symbol: 'BTC', decimals: 8 } as const

/** The network that has value. It is read through the public Esplora services below unless `sources` says otherwise. */
export const bitcoinMainnet: Network = /* @__PURE__ */ networkOf('mainnet', 'Bitcoin', '')
/** The third test network. */
export const bitcoinTestnet: Network = /* @__PURE__ */ networkOf('testnet', 'Bitcoin Testnet', '/testnet')
/** The test network whose blocks are signed. */
export const bitcoinSignet: Network = /* @__PURE__ */ networkOf('signet', 'Bitcoin Signet', '/signet')
/** A chain of one's own. It has no public source: name one in `sources`. */
export const bitcoinRegtest: Network = /* @__PURE__ */ networkOf('regtest', 'Bitcoin Regtest', undefined)

function networkOf(chain: ChainName, name: string, path: string | undefined): Network {
  const id = references[chain]
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
    testnet: chain !== 'mainnet',
  }
}

/** What can be said of a chain that the app did not configure: there is no way to read it. */
export function unknownNetworkOf(chainId: ChainId): Network {
  const id = referenceOf(chainId)
  return {
    id,
    caipNetworkId: chainId,
    chainNamespace: 'bip122',
    name: `Unknown network ${id.slice(0, 12)}`,
    nativeCurrency: currency,
    rpcUrls: { default: { http: [] } },
  }
}

/** How the hash of a chain's first block begins. */
export function referenceOf(chainId: ChainId): string {
  return chainId.slice(chainId.indexOf(':') + 1)
}
