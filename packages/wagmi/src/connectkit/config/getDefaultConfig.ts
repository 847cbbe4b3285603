import type { Chain } from 'viem'
import { mainnet } from 'viem/chains'
import type { CreateConfigParameters, CreateConnectorFn, Transport } from 'wagmi'
import { createKitConnector, type AppDetails, type KitServices } from '../../kit/createKitConnector.ts'
import { createTransports } from '../../kit/createTransports.ts'

/** The options of wagmi's `createConfig` that are passed on. */
type WagmiOptions = Pick<
  CreateConfigParameters,
  'batch' | 'cacheTime' | 'pollingInterval' | 'ssr' | 'storage' | 'syncConnectedChain'
>

/** The options of `getDefaultConfig`. */
export type DefaultConfigOptions<
  chains extends readonly [Chain, ...Chain[]] = readonly [Chain, ...Chain[]],
  transports extends Record<chains[number]['id'], Transport> = Record<chains[number]['id'], Transport>,
> = Partial<WagmiOptions> &
  AppDetails & {
    /** Identifies the app to its own server and relay: 32 hex characters. Only read if `latchkey` names one of them. */
    walletConnectProjectId?: string
    /** Ethereum if omitted. */
    chains?: chains
    /** The transports of the chains. Latchkey reads chains through the same URLs. `http()` for each chain if omitted. */
    transports?: transports
    /** Connectors of wagmi beside Latchkey's, which the modal does not list. */
    connectors?: readonly CreateConnectorFn[]
    /** Has no effect: there is no connector of the vendor's account. */
    enableFamily?: boolean
    /** Has no effect: Latchkey lists the wallets of the page. */
    multiInjectedProviderDiscovery?: boolean
    /** The services and options of Latchkey. The original has no such option. */
    latchkey?: KitServices
  }

/** The options for wagmi's `createConfig`. */
export type DefaultConfig<
  chains extends readonly [Chain, ...Chain[]],
  transports extends Record<chains[number]['id'], Transport>,
> = Partial<WagmiOptions> & {
  chains: chains
  connectors: readonly CreateConnectorFn[]
  multiInjectedProviderDiscovery: false
  transports: transports
}

/**
 * Creates the options for wagmi's `createConfig`, with Latchkey as its connector. `createConfig` then creates an instance of
 * Latchkey for the same chains, which `getLatchkey(config)` of `@latchkey/wagmi` returns.
 *
 * @param options the app, its chains and transports; `latchkey` has the options that the original doesn't have
 * @returns the options for `createConfig`
 * @throws LatchkeyError from `createConfig`: `config/invalid` if an option of `latchkey` is wrong
 * @example
 * import { mainnet } from 'viem/chains'
 * import { createConfig } from 'wagmi'
 * const config = createConfig(getDefaultConfig({ appName: 'My app', chains: [mainnet] }))
 */
export function getDefaultConfig<
  const chains extends readonly [Chain, ...Chain[]] = readonly [typeof mainnet],
  transports extends Record<chains[number]['id'], Transport> = Record<chains[number]['id'], Transport>,
>({
  appName,
  appDescription,
  appUrl,
  appIcon,
  walletConnectProjectId,
  chains: given,
  transports,
  connectors = [],
  enableFamily: _family,
  multiInjectedProviderDiscovery: _discovery,
  latchkey,
  ...options
}: DefaultConfigOptions<chains, transports>): DefaultConfig<chains, transports> {
  const app = { appName, appDescription, appUrl, appIcon }
  const connector = createKitConnector({ app, projectId: walletConnectProjectId, services: latchkey })
  // The default of the type parameter is the default of the option.
  const chains = given ?? ([mainnet] as unknown as chains)
  return {
    ...options,
    chains,
    // wagmi derives the type of `connect` from parameters that the connector does not have.
    connectors: [connector as unknown as CreateConnectorFn, ...connectors],
    multiInjectedProviderDiscovery: false,
    // Transports are created for every chain of the app.
    transports: transports ?? (createTransports(chains) as transports),
  }
}
