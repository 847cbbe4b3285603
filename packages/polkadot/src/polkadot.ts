import type { Adapter, Clock, Storage } from '@latchkey/core'
import { discoverInjected } from './discover.ts'
import { polkadotMainnet, unknownNetworkOf, type PolkadotNetwork } from './networks.ts'

export type PolkadotOptions = {
  /** The networks of the app, the preferred one first; Polkadot itself when left out. */
  networks?: readonly [PolkadotNetwork, ...PolkadotNetwork[]]
  /** What extensions tell their owner about who asks; the page's title when left out. */
  appName?: string
  /** Where wallets are found; `window` when left out, nothing on a server. */
  page?: EventTarget
  /** Where is written down which extensions were connected: they have no question that shows nothing to their owner. */
  storage?: Storage
  /** The platform's time when left out. */
  clock?: Clock
}

/**
 * The adapter for Polkadot and its kin. Extensions are found in `injectedWeb3`; addresses are those of the network that
 * is active.
 *
 * @example createLatchkey({ adapters: [polkadot({ networks: [polkadotMainnet, kusama] })] })
 */
export function polkadot({
  networks = [polkadotMainnet],
  appName,
  page = platformPage(),
  storage,
  clock,
}: PolkadotOptions = {}): Adapter {
  return {
    namespace: 'polkadot',
    name: 'Polkadot',
    networks,
    isAddress: (value) => /^[1-9A-HJ-NP-Za-km-z]{46,50}$/.test(value),
    discover: (found) => discoverInjected(found, page, { networks, appName, storage, clock }),
    getBalance: async (...args) => (await import('./getBalance.ts')).getBalance(clock, ...args),
    signMessage: async (...args) => (await import('./askWallet.ts')).signRaw(...args),
    verifyMessage: async (_, ...args) => (await import('./verifyMessage.ts')).verifyMessage(...args),
    // What a payment is written as differs from runtime to runtime; apps sign payloads that they made themselves.
    sendTransaction: async () => (await import('./askWallet.ts')).refuseToSend(),
    waitForReceipt: async (_, ...args) => (await import('./waitForReceipt.ts')).waitForReceipt(clock, ...args),
    switchNetwork: async (...args) => (await import('./switchNetwork.ts')).switchNetwork(...args),
    explorerUrl({ blockExplorers }, what) {
      if (blockExplorers === undefined) return undefined
      const path = 'address' in what ? `account/${what.address}` : `extrinsic/${what.transaction}`
      return `${blockExplorers.default.url.replace(/\/$/, '')}/${path}`
    },
    unknownNetwork: unknownNetworkOf,
  }
}

function platformPage(): EventTarget | undefined {
  return typeof window === 'undefined' ? undefined : window
}
