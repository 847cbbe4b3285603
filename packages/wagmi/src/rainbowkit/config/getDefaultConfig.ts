import { createConfig, type Config, type CreateConfigParameters, type CreateConnectorFn, type Transport } from 'wagmi'
import type { Chain } from 'viem'
import { createKitConnector, type AppDetails, type KitServices } from '../../kit/createKitConnector.ts'
import { createTransports } from '../../kit/createTransports.ts'
import type { WalletList } from './walletList.ts'

/** The options of wagmi's `createConfig` that apps may pass on. */
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
    projectId?: string
    chains: chains
    /** The transports of the chains. Latchkey reads chains through the same URLs. `http()` for each chain if omitted. */
    transports?: transports
    /** Has no effect: wallets of the page are found by their announcement (EIP-6963). */
    wallets?: WalletList
    /** Has no effect: Latchkey lists the wallets of the page. */
    multiInjectedProviderDiscovery?: boolean
    /** The services and options of Latchkey. The original has no such option. */
    latchkey?: KitServices
  }

/**
 * Creates the configuration of wagmi with Latchkey as its connector, and an instance of Latchkey for the same chains.
 * `getLatchkey(config)` of `@latchkey/wagmi` returns the instance.
 *
 * @param options the app, its chains and transports; `latchkey` has the options that the original doesn't have
 * @returns the configuration for `WagmiProvider`
 * @throws LatchkeyError `config/invalid` if an option of `latchkey` is wrong
 * @example
 * import { mainnet, sepolia } from 'viem/chains'
 * const config = getDefaultConfig({ appName: 'My app', chains: [mainnet, sepolia], ssr: true })
 */
export function getDefaultConfig<
  const chains extends readonly [Chain, ...Chain[]],
  transports extends Record<chains[number]['id'], Transport>,
>({
  appName,
  appDescription,
  appUrl,
  appIcon,
  projectId,
  chains,
  transports,
  wallets: _wallets,
  multiInjectedProviderDiscovery: _discovery,
  latchkey,
  ...options
}: DefaultConfigOptions<chains, transports>): Config<chains, transports> {
  const app = { appName, appDescription, appUrl, appIcon }
  const connector = createKitConnector({ app, projectId, services: latchkey })
  return createConfig({
    ...options,
    chains,
    // wagmi derives the type of `connect` from parameters that the connector does not have.
    connectors: [connector as unknown as CreateConnectorFn],
    multiInjectedProviderDiscovery: false,
    transports: transports ?? createTransports(chains),
  }) as unknown as Config<chains, transports>
}
