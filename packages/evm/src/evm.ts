import type { Adapter, Clock } from '@latchkey/core'
import type { Transfers } from '@latchkey/core/money'
import type { Chain } from 'viem'
import { isAddress } from './address.ts'
import { discoverWallets } from './discover.ts'
import { featuresOf } from './features.ts'
import { networkOf, unknownNetworkOf } from './networks.ts'
import type { WaysOptions } from './otherWays.ts'
import type { Readers } from './readers.ts'

export type EvmOptions = {
  /** The networks of the app as viem describes them, the preferred one first: `import { mainnet } from 'viem/chains'`. */
  chains: readonly [Chain, ...Chain[]]
  /** Where wallets announce themselves; `window` when left out, nothing on a server. */
  page?: EventTarget
  /** Whether to offer the wallet at `window.ethereum` when it does not announce itself; true when left out. */
  legacy?: boolean
  /** The origins of Safes that this app may be opened in, like `https://app.safe.global`; any when left out. */
  safeOrigins?: readonly string[]
  /** The platform's time when left out. */
  clock?: Clock
}

/**
 * The adapter for eip155 networks. Wallets in the page are found by EIP-6963, at `window.ethereum`, and around a page
 * that is opened in a Safe; viem is loaded with the first question to a chain or a wallet, not before.
 *
 * @example createLatchkey({ adapters: [evm({ chains: [mainnet, base] })] })
 */
export function evm({ chains, page = platformPage(), clock, legacy = true, safeOrigins }: EvmOptions): Adapter {
  const [first, ...others] = chains
  const readers: Readers = { clock, clients: new Map(), translators: [] }
  const ways: WaysOptions = { legacy, safeOrigins, opened: (safe) => readers.translators.push(safe.carriedOut) }
  // One for all: it remembers what it told a fee for.
  let transfers: Transfers | undefined
  return {
    namespace: 'eip155',
    name: 'Ethereum',
    networks: [networkOf(first), ...others.map(networkOf)],
    isAddress,
    signInAddress: async (address) => (await import('./checkedAddress.ts')).checkedAddress(address),
    discover: (found, lost = () => {}) => discoverWallets(found, lost, page, clock, ways),
    getBalance: async (...args) => (await import('./getBalance.ts')).getBalance(readers, ...args),
    signMessage: async (...args) => (await import('./signMessage.ts')).signMessage(...args),
    verifyMessage: async (...args) => (await import('./verifyMessage.ts')).verifyMessage(readers, ...args),
    sendTransaction: async (...args) => (await import('./sendTransaction.ts')).sendTransaction(...args),
    waitForReceipt: async (...args) => (await import('./waitForReceipt.ts')).waitForReceipt(readers, ...args),
    switchNetwork: async (...args) => (await import('./switchNetwork.ts')).switchNetwork(...args),
    explorerUrl({ blockExplorers }, what) {
      if (blockExplorers === undefined) return undefined
      const path = 'address' in what ? `address/${what.address}` : `tx/${what.transaction}`
      return `${blockExplorers.default.url.replace(/\/$/, '')}/${path}`
    },
    async transfers() {
      const { createTransfers } = await import('./transfers/transfers.ts')
      return (transfers ??= createTransfers(readers, chains))
    },
    walletCalls: async () => (await import('./calls/walletCalls.ts')).walletCalls,
    features: featuresOf,
    unknownNetwork: unknownNetworkOf,
  }
}

function platformPage(): EventTarget | undefined {
  return typeof window === 'undefined' ? undefined : window
}
