import type { Adapter, Latchkey } from '@latchkey/core'
import { bridgeWagmi } from '@latchkey/wagmi'
import { createConfig, type Config, type CreateConfigParameters, type CreateConnectorFn } from '@wagmi/core'
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

/** The options of wagmi's `createConfig` that apps may pass on. */
type WagmiOptions = Pick<
  CreateConfigParameters,
  'batch' | 'cacheTime' | 'pollingInterval' | 'ssr' | 'storage' | 'syncConnectedChain'
>

export type WagmiAdapterOptions = Partial<WagmiOptions> & {
  networks: AppKitNetworks
  /** Connectors of wagmi in addition to Latchkey's. */
  connectors?: readonly CreateConnectorFn[]
  customRpcUrls?: CustomRpcUrls
  transports?: Readonly<Record<number, Transport>>
  /** Has no effect: `createAppKit` has it. */
  projectId?: string
  /** Has no effect: Latchkey follows the transactions of the page itself. */
  pendingTransactionsFilter?: { enable: boolean; pollingInterval?: number }
}

/**
 * The adapter for EVM networks of apps that use wagmi. It creates wagmi's configuration, and keeps both consistent. wagmi has
 * one connection: the wallet that is connected in eip155.
 *
 * @throws LatchkeyError `appkit/networks-missing` without an EVM network
 * @example
 * import { mainnet } from '@latchkey/appkit/networks'
 * const adapter = new WagmiAdapter({ networks: [mainnet] })
 * createAppKit({ adapters: [adapter], networks: [mainnet], projectId })
 */
export class WagmiAdapter implements AppKitAdapter {
  readonly namespace = 'eip155'
  readonly wagmiConfig: Config
  readonly wagmiChains: readonly [Chain, ...Chain[]]
  readonly #connector: LateConnector = createLateConnector()

  constructor({ networks, customRpcUrls, transports = {}, connectors = [], ...options }: WagmiAdapterOptions) {
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
      // wagmi derives the type of `connect` from parameters that the connector does not have.
      connectors: [this.#connector.create as unknown as CreateConnectorFn, ...connectors],
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
