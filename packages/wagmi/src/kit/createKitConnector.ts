import { createLatchkey, type Adapter, type Latchkey, type LatchkeyOptions } from '@latchkey/core'
import { evm, type EvmChain } from '@latchkey/evm'
import { walletConnect } from '@latchkey/walletconnect'
import { latchkeyConnector, type LatchkeyConnector } from '../latchkeyConnector.ts'
import type { ConnectorParameters } from '../wagmiConfig.ts'
import { listTransportUrls, type AnyTransport } from './listTransportUrls.ts'

/** The options of Latchkey that the original configuration does not have. All are optional. */
export type KitServices = Omit<LatchkeyOptions, 'adapters' | 'projectId' | 'siwx' | 'siweConfig'> & {
  /** The WebSocket URL of the relay, such as `wss://api.example.org/relay`. Without it, there are no phone wallets. */
  relayUrl?: string
}

/** The app, as wallets show it. */
export type AppDetails = {
  appName: string
  appDescription?: string
  /** The origin of the page by default. */
  appUrl?: string
  /** The URL of a picture. */
  appIcon?: string
}

/** The values that a configuration of either original gives. */
export type KitConnectorOptions = {
  app: AppDetails
  /** Identifies the app to its server and relay. */
  projectId: string | undefined
  services: KitServices | undefined
}

/** The arguments that wagmi passes to the function that creates a connector. */
type KitConnectorParameters = ConnectorParameters<EvmChain> & {
  readonly transports?: { readonly [chainId: number]: AnyTransport | undefined } | undefined
}

/**
 * Creates the connector of a configuration of wagmi, with an instance of Latchkey for the chains and transports of that
 * configuration.
 *
 * @returns a function for the `connectors` of wagmi's `createConfig`
 */
export function createKitConnector(
  options: KitConnectorOptions,
): (parameters: KitConnectorParameters) => LatchkeyConnector {
  return (parameters) => latchkeyConnector(createKitInstance(options, parameters))(parameters)
}

function createKitInstance(options: KitConnectorOptions, parameters: KitConnectorParameters): Latchkey {
  const { projectId, services: { relayUrl, connectors = [], ...services } = {} } = options
  // Only the server and the relay read it. Many apps carry a placeholder.
  const isUsed = services.server !== undefined || relayUrl !== undefined
  return createLatchkey({
    unsupportedNetworks: 'inform',
    ...services,
    adapters: [createKitAdapter(parameters)],
    connectors: [...connectors, ...createPhoneConnectors(options, relayUrl)],
    projectId: isUsed && projectId !== '' ? projectId : undefined,
  })
}

function createPhoneConnectors(
  { projectId, app }: KitConnectorOptions,
  relayUrl: string | undefined,
): NonNullable<LatchkeyOptions['connectors']> {
  if (relayUrl === undefined || projectId === undefined || projectId === '') return []
  const { appName: name, appDescription: description = '', appUrl, appIcon } = app
  const url = appUrl ?? (typeof location === 'undefined' ? '' : location.origin)
  const icons = appIcon === undefined ? [] : [appIcon]
  return [walletConnect({ relayUrl, projectId, metadata: { name, description, url, icons } })]
}

/** Creates the adapter. It reads chains through the transports of the app; wallets are offered the URLs of the chains. */
function createKitAdapter({ chains, transports = {} }: KitConnectorParameters): Adapter {
  const adapter = evm({ chains })
  const [first, ...others] = adapter.networks.map((network, index) => {
    const chain = chains[index]
    const transport = chain === undefined ? undefined : transports[chain.id]
    if (chain === undefined || transport === undefined) return network
    const listUrls = (): readonly string[] => {
      const urls = listTransportUrls(transport, chain)
      return urls.length === 0 ? network.rpcUrls.default.http : urls
    }
    return { ...network, rpcUrls: { ...network.rpcUrls, default: createLazyUrls(listUrls) } }
  })
  return first === undefined ? adapter : { ...adapter, networks: [first, ...others] }
}

/** Lists URLs with the first read: creating a transport that ranks others starts to send requests. */
function createLazyUrls(listUrls: () => readonly string[]): { readonly http: readonly string[] } {
  let urls: readonly string[] | undefined
  return {
    get http() {
      return (urls ??= listUrls())
    },
  }
}
