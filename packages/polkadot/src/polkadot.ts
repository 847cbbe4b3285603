import { defaultPage, formatExplorerUrl } from '@latchkey/adapter-kit'
import type { Adapter, Clock, Storage } from '@latchkey/core'
import { polkadotMainnet, unknownPolkadotNetwork, type PolkadotNetwork } from './chain/polkadotNetworks.ts'
import { discoverExtensions } from './extension/discoverExtensions.ts'
import type { Runtimes } from './runtime/loadRuntime.ts'

export type PolkadotOptions = {
  /** The networks of the app, the preferred one first; Polkadot by default. */
  networks?: readonly [PolkadotNetwork, ...PolkadotNetwork[]]
  /** The app name that extensions show to the user; the page's title by default. */
  appName?: string
  /** The page in which wallets are discovered; `window` by default, none on a server. */
  page?: EventTarget
  /** Remembers which extensions were connected, because extensions have no silent request; localStorage by default. */
  storage?: Storage
  /** The platform's clock by default. */
  clock?: Clock
}

const explorerPaths = { address: 'account', transaction: 'extrinsic' } as const

/**
 * Creates the adapter for Polkadot and related networks. It discovers extensions in `injectedWeb3`. Addresses have the
 * format of the active network.
 *
 * @example createLatchkey({ adapters: [polkadot({ networks: [polkadotMainnet, kusama] })] })
 */
export function polkadot({
  networks = [polkadotMainnet],
  appName,
  page = defaultPage(),
  storage,
  clock,
}: PolkadotOptions = {}): Adapter {
  const runtimes: Runtimes = new Map()
  const loadRequests = () => import('./wallet/requests.ts')
  return {
    namespace: 'polkadot',
    name: 'Polkadot',
    networks,
    isAddress: (value) => /^[1-9A-HJ-NP-Za-km-z]{46,50}$/.test(value),
    discover: (found) => discoverExtensions(found, page, { networks, appName, storage, clock }),
    getBalance: async (...args) => (await import('./chain/getPolkadotBalance.ts')).getPolkadotBalance(clock, ...args),
    signMessage: async (...args) => (await loadRequests()).requestRawSignature(...args),
    verifyMessage: async (_, ...args) =>
      (await import('./chain/verifyPolkadotMessage.ts')).verifyPolkadotMessage(...args),
    canSendTransactions: false,
    // A receipt can't be found by its hash alone: payments go through `transfers`.
    sendTransaction: async () => (await loadRequests()).refuseTransaction(),
    waitForReceipt: async (_, ...args) => (await loadRequests()).waitForPolkadotReceipt(clock, ...args),
    switchNetwork: async (...args) => (await loadRequests()).switchWithinWallet(...args),
    transfers: async () =>
      (await import('./transfers/createPolkadotTransfers.ts')).createPolkadotTransfers(clock, runtimes),
    explorerUrl: (network, target) => formatExplorerUrl(network, target, explorerPaths),
    unknownNetwork: unknownPolkadotNetwork,
  }
}
