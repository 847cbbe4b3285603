import type { Adapter, Clock } from '@latchkey/core'
import type { ChainId, Network } from '@latchkey/protocol'
import { isAddress } from './address.ts'
import { discoverWallets } from './discover.ts'
import { bitcoinMainnet, unknownNetworkOf } from './networks.ts'

export type BitcoinOptions = {
  /** The networks of the app, the preferred one first; mainnet when left out. */
  networks?: readonly [Network, ...Network[]]
  /** Where each network is read: HTTP services of the Esplora kind, best first, in place of the network's own. */
  sources?: { readonly [chainId in ChainId]?: readonly string[] }
  /** Where wallets are found; `window` when left out, nothing on a server. */
  page?: EventTarget
  /** The platform's time when left out. */
  clock?: Clock
}

/**
 * The adapter for Bitcoin. Wallets in the page are found by the Wallet Standard, as sats-connect lists them, and by the
 * objects that they inject.
 *
 * @example createLatchkey({ adapters: [bitcoin({ networks: [bitcoinMainnet, bitcoinTestnet] })] })
 */
export function bitcoin({
  networks = [bitcoinMainnet],
  sources = {},
  page = platformPage(),
  clock,
}: BitcoinOptions = {}): Adapter {
  const [first, ...others] = networks
  const withSource = (network: Network): Network => {
    const http = sources[network.caipNetworkId]
    return http === undefined ? network : { ...network, rpcUrls: { default: { http } } }
  }
  const read = [withSource(first), ...others.map(withSource)] as const
  return {
    namespace: 'bip122',
    name: 'Bitcoin',
    networks: read,
    isAddress,
    discover: (found, lost = () => {}) => discoverWallets(found, lost, page, { networks: read, clock }),
    getBalance: async (...args) => (await import('./getBalance.ts')).getBalance(clock, ...args),
    signMessage: async (connection, account, message) =>
      (await import('./askWallet.ts')).signMessage(connection, account, message),
    verifyMessage: async (...args) => (await import('./verifyMessage.ts')).verifyMessage(...args),
    sendTransaction: async (...args) => (await import('./askWallet.ts')).sendTransaction(...args),
    waitForReceipt: async (...args) => (await import('./waitForReceipt.ts')).waitForReceipt(clock, ...args),
    switchNetwork: async (...args) => (await import('./switchNetwork.ts')).switchNetwork(...args),
    explorerUrl({ blockExplorers }, what) {
      if (blockExplorers === undefined) return undefined
      const path = 'address' in what ? `address/${what.address}` : `tx/${what.transaction}`
      return `${blockExplorers.default.url.replace(/\/$/, '')}/${path}`
    },
    unknownNetwork: unknownNetworkOf,
  }
}

function platformPage(): EventTarget | undefined {
  return typeof window === 'undefined' ? undefined : window
}
