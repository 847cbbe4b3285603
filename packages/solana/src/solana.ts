import { defaultPage, withRpcUrls } from '@latchkey/adapter-kit'
import type { Adapter, Clock } from '@latchkey/core'
import type { ChainId, Network } from '@latchkey/protocol'
import { isSolanaAddress } from './address/isSolanaAddress.ts'
import type { SolanaClients } from './chain/solanaClients.ts'
import { getSolanaExplorerUrl, solanaNetworks, unknownSolanaNetwork } from './chain/solanaNetworks.ts'
import { discoverSolanaWallets } from './page/discoverSolanaWallets.ts'
import type { TransactionLifetimes } from './transfers/sendSolanaTransfer.ts'

export type SolanaOptions = {
  /** The networks of the app, the preferred one first; the three public clusters by default. */
  networks?: readonly [Network, ...Network[]]
  /** Endpoints by chain id, best first. They replace the network's own: `{ 'solana:5eykt…': ['https://…'] }`. */
  rpcUrls?: { readonly [chainId in ChainId]?: readonly string[] }
  /** The page in which wallets register themselves; `window` by default, none on a server. */
  page?: EventTarget
  /** The platform's clock by default. */
  clock?: Clock
}

/**
 * Creates the adapter for Solana. It discovers wallets in the page through the Wallet Standard. @solana/kit is loaded with
 * the first request to a network or a wallet.
 *
 * @example createLatchkey({ adapters: [solana()] })
 */
export function solana({
  networks = solanaNetworks,
  rpcUrls = {},
  page = defaultPage(),
  clock,
}: SolanaOptions = {}): Adapter {
  const [first, ...others] = networks
  const configured: Adapter['networks'] = [
    withRpcUrls(first, rpcUrls),
    ...others.map((network) => withRpcUrls(network, rpcUrls)),
  ]
  const clients: SolanaClients = { clock, networks: configured, clients: new Map() }
  const lifetimes: TransactionLifetimes = new Map()
  return {
    namespace: 'solana',
    name: 'Solana',
    networks: configured,
    isAddress: isSolanaAddress,
    discover: (found, lost = () => {}) => discoverSolanaWallets(found, lost, page, clock),
    getBalance: async (...args) => (await import('./chain/getSolanaBalance.ts')).getSolanaBalance(clients, ...args),
    signMessage: async (...args) => (await import('./wallet/signSolanaMessage.ts')).signSolanaMessage(...args),
    verifyMessage: async (_network, ...args) => (await import('@latchkey/verify/solana')).verifySolana(...args),
    sendTransaction: async (...args) =>
      (await import('./wallet/sendSolanaTransaction.ts')).sendSolanaTransaction(clients, ...args),
    waitForReceipt: async (...args) =>
      (await import('./chain/waitForSolanaReceipt.ts')).waitForSolanaReceipt(clients, ...args),
    switchNetwork: async (...args) => (await import('./wallet/switchSolanaNetwork.ts')).switchSolanaNetwork(...args),
    transfers: async () =>
      (await import('./transfers/createSolanaTransfers.ts')).createSolanaTransfers(clients, lifetimes),
    explorerUrl: getSolanaExplorerUrl,
    features: () => ['balances', 'onramp'],
    unknownNetwork: unknownSolanaNetwork,
  }
}
