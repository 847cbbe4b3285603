import { defaultPage, formatExplorerUrl, withRpcUrls } from '@latchkey/adapter-kit'
import type { Adapter, Clock } from '@latchkey/core'
import type { ChainId, Network } from '@latchkey/protocol'
import { isBitcoinAddress } from './address/isBitcoinAddress.ts'
import { bitcoinMainnet, unknownBitcoinNetwork } from './chain/bitcoinNetworks.ts'
import { discoverBitcoinWallets } from './page/discoverBitcoinWallets.ts'
import type { UnsentTransactions } from './transfers/sendBitcoinTransfer.ts'

export type BitcoinOptions = {
  /** The networks of the app, the preferred one first; mainnet by default. */
  networks?: readonly [Network, ...Network[]]
  /** HTTP services with the Esplora interface, by chain id, best first. They replace the network's own. */
  sources?: { readonly [chainId in ChainId]?: readonly string[] }
  /** The page in which wallets are discovered; `window` by default, none on a server. */
  page?: EventTarget
  /** The platform's clock by default. */
  clock?: Clock
}

/**
 * Creates the adapter for Bitcoin. It discovers wallets in the page through the Wallet Standard, sats-connect and the
 * objects that wallets inject.
 *
 * @example createLatchkey({ adapters: [bitcoin({ networks: [bitcoinMainnet, bitcoinTestnet] })] })
 */
export function bitcoin({
  networks = [bitcoinMainnet],
  sources = {},
  page = defaultPage(),
  clock,
}: BitcoinOptions = {}): Adapter {
  const [first, ...others] = networks
  const configured = [withRpcUrls(first, sources), ...others.map((network) => withRpcUrls(network, sources))] as const
  const unsent: UnsentTransactions = new Map()
  // One chunk, because all of it needs btc-signer.
  const loadTransfers = () => import('./transfers/createBitcoinTransfers.ts')
  return {
    namespace: 'bip122',
    name: 'Bitcoin',
    networks: configured,
    isAddress: isBitcoinAddress,
    discover: (found, lost = () => {}) => discoverBitcoinWallets(found, lost, page, { networks: configured, clock }),
    getBalance: async (...args) => (await loadTransfers()).getBitcoinBalance(clock, ...args),
    signMessage: async (...args) =>
      (await import('./wallet/requestMessageSignature.ts')).requestMessageSignature(...args),
    verifyMessage: async (...args) => (await import('./chain/verifyBitcoinMessage.ts')).verifyBitcoinMessage(...args),
    sendTransaction: async (...args) => (await loadTransfers()).requestTransaction(configured, clock, ...args),
    waitForReceipt: async (...args) => (await loadTransfers()).waitForBitcoinReceipt(clock, ...args),
    switchNetwork: async (...args) => (await import('./wallet/switchWithinWallet.ts')).switchWithinWallet(...args),
    transfers: async () => (await loadTransfers()).createBitcoinTransfers(clock, unsent),
    explorerUrl: formatExplorerUrl,
    unknownNetwork: unknownBitcoinNetwork,
  }
}
