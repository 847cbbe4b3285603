import type { Adapter, Latchkey } from '@latchkey/core'
import { bridgeWagmi } from '@latchkey/wagmi'
import { fallback, getAddress, http, type Chain, type Transport } from 'viem'
import {
  toCaipNetwork,
  withCustomRpcUrls,
  type AppKitNetworks,
  type CaipNetwork,
  type CustomRpcUrls,
} from '../../network/appKitNetwork.ts'
import { networksMissing } from '../../network/networksMissing.ts'
import type { AdapterOptions, AppKitAdapter } from '../appKitAdapter.ts'
import { createEvmAdapter } from '../createEvmAdapter.ts'
import { createLateConnector, type LateConnector } from './createLateConnector.ts'

/** The configuration of wagmi, as far as the adapter uses it. */
type WagmiConfig = Parameters<typeof bridgeWagmi>[1]

/** The parameters of wagmi's `createConfig` that the adapter sets. */
export type WagmiConfigParameters = {
  chains: readonly [Chain, ...Chain[]]
  connectors: readonly unknown[]
  multiInjectedProviderDiscovery: false
  transports: Record<number, Transport>
}

/** The options of the adapter that wagmi's `createConfig` does not have. */
export type WagmiAdapterBaseOptions<CreateConnector> = {
  networks: AppKitNetworks
  /** Connectors of wagmi in addition to Latchkey's. */
  connectors?: readonly CreateConnector[]
  customRpcUrls?: CustomRpcUrls
  transports?: Readonly<Record<number, Transport>>
  /** Has no effect: `createAppKit` has it. */
  projectId?: string
  /** Has no effect: Latchkey follows the transactions of the page itself. */
  pendingTransactionsFilter?: { enable: boolean; pollingInterval?: number }
}

/**
 * The adapter for EVM networks without wagmi's `createConfig`, which apps install as a part of `wagmi` or as `@wagmi/core`. npm
 * places the `@wagmi/core` of `wagmi` in the folder of `wagmi`, where no other package finds it.
 */
export class WagmiAdapterBase<Config extends WagmiConfig, CreateConnector> implements AppKitAdapter {
  readonly namespace = 'eip155'
  readonly wagmiConfig: Config
  readonly wagmiChains: readonly [Chain, ...Chain[]]
  readonly #connector: LateConnector = createLateConnector()

  constructor(
    createConfig: (parameters: WagmiConfigParameters) => Config,
    { networks, customRpcUrls, transports = {}, connectors = [], ...options }: WagmiAdapterBaseOptions<CreateConnector>,
  ) {
    const { projectId: _projectId, pendingTransactionsFilter: _filter, ...wagmiOptions } = options
    const chains = listChains(networks, customRpcUrls)
    this.wagmiChains = chains
    const toTransport = ({ id, rpcUrls }: Chain): [number, Transport] => [
      id,
      transports[id] ?? fallback(rpcUrls.default.http.map((url) => http(url))),
    ]
    this.wagmiConfig = createConfig({
      ...wagmiOptions,
      chains,
      connectors: [this.#connector.create, ...connectors],
      // Latchkey lists the wallets of the page.
      multiInjectedProviderDiscovery: false,
      transports: Object.fromEntries(chains.map(toTransport)),
    })
  }

  createAdapter(networks: readonly [CaipNetwork, ...CaipNetwork[]], options: AdapterOptions): Adapter {
    return createEvmAdapter(networks, options)
  }

  formatAddress(address: string): string {
    return getAddress(address)
  }

  attach({ latchkey }: { latchkey: Latchkey }): () => void {
    // Nothing is awaited in it.
    void this.#connector.bind(latchkey)
    return bridgeWagmi(latchkey, this.wagmiConfig)
  }
}

function listChains(networks: AppKitNetworks, customRpcUrls: CustomRpcUrls | undefined): readonly [Chain, ...Chain[]] {
  const [first, ...others] = networks
    .map((network) => withCustomRpcUrls(toCaipNetwork(network), customRpcUrls))
    .filter(({ chainNamespace }) => chainNamespace === 'eip155')
  if (first === undefined) throw networksMissing('eip155')
  return [toChain(first), ...others.map(toChain)]
}

/** Apps pass the chains of viem, or objects like them. */
function toChain(network: CaipNetwork): Chain {
  return { ...network, id: Number(network.id) } as unknown as Chain
}
