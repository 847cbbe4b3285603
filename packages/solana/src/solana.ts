import type { Adapter, Clock } from '@latchkey/core'
import type { ChainId, Network } from '@latchkey/protocol'
import { isAddress } from './address.ts'
import { discoverRegistered } from './discover.ts'
import { explorerUrlOf, solanaDevnet, solanaMainnet, solanaTestnet, unknownNetworkOf } from './networks.ts'
import type { Readers } from './readers.ts'
import type { Lifetimes } from './transfers/sendTransfer.ts'

export type SolanaOptions = {
  /** The networks of the app, the preferred one first; the three public clusters when left out. */
  networks?: readonly [Network, ...Network[]]
  /** What to read a network through in place of what it says itself, best first: `{ 'solana:5eykt…': ['https://…'] }`. */
  rpcUrls?: { readonly [chainId in ChainId]?: readonly string[] }
  /** Where wallets register themselves; `window` when left out, nothing on a server. */
  page?: EventTarget
  /** The platform's time when left out. */
  clock?: Clock
}

/**
 * The adapter for Solana. Wallets in the page are found by the Wallet Standard; @solana/kit is loaded with the first
 * question to a chain or a wallet, not before.
 *
 * @example createLatchkey({ adapters: [solana()] })
 */
export function solana(options: SolanaOptions = {}): Adapter {
  const {
    networks = [solanaMainnet, solanaDevnet, solanaTestnet],
    rpcUrls = {},
    page = platformPage(),
    clock,
  } = options
  const withUrls = (network: Network): Network => {
    const http = rpcUrls[network.caipNetworkId]
    return http === undefined ? network : { ...network, rpcUrls: { ...network.rpcUrls, default: { http } } }
  }
  const [first, ...others] = networks
  const all: Adapter['networks'] = [withUrls(first), ...others.map(withUrls)]
  const readers: Readers = { clock, networks: all, clients: new Map() }
  const lifetimes: Lifetimes = new Map()
  return {
    namespace: 'solana',
    name: 'Solana',
    networks: all,
    isAddress,
    discover: (found, lost = () => {}) => discoverRegistered(found, lost, page, clock),
    getBalance: async (...args) => (await import('./getBalance.ts')).getBalance(readers, ...args),
    signMessage: async (...args) => (await import('./signMessage.ts')).signMessage(...args),
    async verifyMessage(_network, address, message, signature) {
      const { verifySolana } = await import('@latchkey/verify/solana')
      return verifySolana(address, message, signature)
    },
    sendTransaction: async (...args) => (await import('./sendTransaction.ts')).sendTransaction(readers, ...args),
    waitForReceipt: async (...args) => (await import('./waitForReceipt.ts')).waitForReceipt(readers, ...args),
    switchNetwork: async (...args) => (await import('./switchNetwork.ts')).switchNetwork(...args),
    transfers: async () => (await import('./transfers/transfers.ts')).createTransfers(readers, lifetimes),
    explorerUrl: explorerUrlOf,
    features: () => ['balances', 'onramp'],
    unknownNetwork: unknownNetworkOf,
  }
}

function platformPage(): EventTarget | undefined {
  return typeof window === 'undefined' ? undefined : window
}
