import { createConfig, type Config, type CreateConfigParameters, type CreateConnectorFn } from '@wagmi/core'
import { WagmiAdapterBase, type WagmiAdapterBaseOptions } from '../wagmi/WagmiAdapterBase.ts'

/** The options of wagmi's `createConfig` that apps may pass on. */
type WagmiOptions = Pick<
  CreateConfigParameters,
  'batch' | 'cacheTime' | 'pollingInterval' | 'ssr' | 'storage' | 'syncConnectedChain'
>

export type WagmiAdapterOptions = Partial<WagmiOptions> & WagmiAdapterBaseOptions<CreateConnectorFn>

/**
 * The adapter for EVM networks of apps that use `@wagmi/core` without React, such as those of Vue. It creates wagmi's
 * configuration, and keeps both consistent. wagmi has one connection: the wallet that is connected in eip155.
 *
 * @throws LatchkeyError `appkit/networks-missing` without an EVM network
 * @example
 * import { mainnet } from '@latchkey/appkit/networks'
 * const adapter = new WagmiAdapter({ networks: [mainnet] })
 * createAppKit({ adapters: [adapter], networks: [mainnet], projectId })
 */
export class WagmiAdapter extends WagmiAdapterBase<Config, CreateConnectorFn> {
  constructor(options: WagmiAdapterOptions) {
    // wagmi derives the type of `connect` from parameters that the connector does not have.
    super((parameters) => createConfig(parameters as unknown as CreateConfigParameters), options)
  }
}
