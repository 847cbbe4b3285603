import { defaultPage, formatExplorerUrl } from '@latchkey/adapter-kit'
import type { Adapter, Clock } from '@latchkey/core'
import { isEvmAddress } from './address/isEvmAddress.ts'
import type { EvmClients } from './chain/evmClients.ts'
import { toEvmNetwork, unknownEvmNetwork } from './chain/evmNetwork.ts'
import { getEvmFeatures } from './chain/getEvmFeatures.ts'
import { discoverEvmWallets } from './discovery/discoverEvmWallets.ts'
import type { UnannouncedOptions } from './discovery/unannouncedWallets.ts'
import type { EvmActions } from './evmActions.ts'
import type { EvmChain } from './chain/evmChain.ts'

export type EvmOptions = {
  /** The networks of the app as viem describes them, the preferred one first: `import { mainnet } from 'viem/chains'`. */
  chains: readonly [EvmChain, ...EvmChain[]]
  /** The page in which wallets announce themselves; `window` by default, none on a server. */
  page?: EventTarget
  /** False to hide a wallet at `window.ethereum` that does not announce itself; true by default. */
  legacy?: boolean
  /** The origins of Safes that may open this app, such as `https://app.safe.global`; any by default. */
  safeOrigins?: readonly string[]
  /** The platform's clock by default. */
  clock?: Clock
}

/**
 * Creates the adapter for eip155 networks. It discovers wallets through EIP-6963, at `window.ethereum`, and the Safe that
 * the page is opened in. viem is loaded with the first request to a network or a wallet.
 *
 * @example createLatchkey({ adapters: [evm({ chains: [mainnet, base] })] })
 */
export function evm({ chains, page = defaultPage(), clock, legacy = true, safeOrigins }: EvmOptions): Adapter {
  const [first, ...others] = chains
  const clients: EvmClients = { clock, clients: new Map(), translators: [] }
  const options: UnannouncedOptions = {
    legacy,
    safeOrigins,
    opened: (safe) => clients.translators.push(safe.getExecutedHash),
  }
  let actions: EvmActions | undefined
  const load = async (): Promise<EvmActions> => {
    const { createEvmActions } = await import('./evmActions.ts')
    return (actions ??= createEvmActions(clients, chains))
  }
  return {
    namespace: 'eip155',
    name: 'Ethereum',
    networks: [toEvmNetwork(first), ...others.map(toEvmNetwork)],
    isAddress: isEvmAddress,
    discover: (found, lost = () => {}) => discoverEvmWallets(found, lost, page, clock, options),
    explorerUrl: formatExplorerUrl,
    features: getEvmFeatures,
    unknownNetwork: unknownEvmNetwork,
    approvals: async () => (await load()).approvals(),
    getBalance: async (...args) => (await load()).getBalance(...args),
    sendTransaction: async (...args) => (await load()).sendTransaction(...args),
    signInAddress: async (address) => (await load()).signInAddress(address),
    smartContracts: async () => (await load()).smartContracts(),
    signMessage: async (...args) => (await load()).signMessage(...args),
    switchNetwork: async (...args) => (await load()).switchNetwork(...args),
    transfers: async () => (await load()).transfers(),
    verifyMessage: async (...args) => (await load()).verifyMessage(...args),
    waitForReceipt: async (...args) => (await load()).waitForReceipt(...args),
    walletCalls: async () => (await load()).walletCalls(),
  }
}
