import {
  createLatchkey,
  localSignIn,
  type Connector,
  type ConnectorGroup,
  type Features,
  type Latchkey,
} from '@latchkey/core'
import { embedded } from '@latchkey/embedded'
import { walletConnect } from '@latchkey/walletconnect'
import type { SiteConfig } from './siteConfig.ts'
import { listOfferedNamespaces } from './listOfferedNamespaces.ts'
import { methodOrders, type PlaygroundOptions } from './playgroundOptions.ts'

/** The connectors that no discovery finds. They are created once, so that successive instances share a relay socket and a frame. */
export type SiteConnectors = { readonly phone: Connector; readonly embedded: Connector | undefined }

export function createConnectors(config: SiteConfig): SiteConnectors {
  const { frame, projectId } = config
  return {
    phone: createPhoneConnector(config),
    embedded: frame === undefined ? undefined : embedded({ frame, projectId }),
  }
}

function createPhoneConnector(config: SiteConfig): Connector {
  // The host renders the pages without an address, and connects no wallet.
  const origin = typeof location === 'undefined' ? '' : location.origin
  return walletConnect({
    relayUrl: config.relay,
    projectId: config.projectId,
    metadata: {
      name: 'Latchkey',
      description: 'The product at work',
      url: origin,
      icons: [`${origin}/icon.svg`],
    },
  })
}

/** A connector order that lists installed wallets before wallets that need a scan. */
export const installedFirst: readonly ConnectorGroup[] = [
  'injected',
  'recent',
  'walletConnect',
  'featured',
  'custom',
  'external',
  'recommended',
]

/** The options that only change the modal's appearance. All others need a new instance. */
type AppearanceOption = 'theme' | 'locale' | 'hue' | 'radius'
export type InstanceOptions = Omit<PlaygroundOptions, AppearanceOption>

/** Returns the options that need an instance. Returns the same object until one of them changes. */
export function toInstanceOptions(options: PlaygroundOptions, before?: InstanceOptions): InstanceOptions {
  const { theme: _theme, locale: _locale, hue: _hue, radius: _radius, ...rest } = options
  const isSame = before !== undefined && JSON.stringify(before) === JSON.stringify(rest)
  return isSame ? before : rest
}

/** Creates the page's instance. The page recreates it if its options change. */
export function createInstance(config: SiteConfig, connectors: SiteConnectors, options: InstanceOptions): Latchkey {
  const { networks, phoneWallets, walletList, terms, methodOrder, excluded, onPhone } = options
  return createLatchkey({
    adapters: listOfferedNamespaces(config.networks, networks).map(({ offered, networks: own }) =>
      offered.adapter(own),
    ),
    connectors: [
      ...(phoneWallets ? [connectors.phone] : []),
      ...(connectors.embedded === undefined ? [] : [connectors.embedded]),
    ],
    server: walletList ? config.server : undefined,
    projectId: config.projectId,
    unsupportedNetworks: options.unsupportedNetworks,
    enableNetworkSwitch: options.networkSwitch,
    multiWallet: options.multiWallet,
    connectAllNamespaces: options.connectAllNamespaces,
    siwx: options.signIn === 'off' ? undefined : localSignIn({ required: options.signIn === 'required' }),
    connectMethodOrder: methodOrders[methodOrder],
    connectorOrder: options.installedFirst ? installedFirst : undefined,
    excludeWallets: parseNames(excluded),
    legal: terms ? { termsUrl: '/terms', privacyUrl: '/privacy' } : undefined,
    features: toFeatures(options),
    isMobile: onPhone ? () => true : undefined,
  })
}

/** The feature switches of the playground. */
function toFeatures(options: InstanceOptions): Partial<Features> {
  const { allWallets, legalCheckbox, collapseWallets, email, socials } = options
  return { allWallets, legalCheckbox, collapseWallets, email, ...(socials ? {} : { socials: false }) }
}

/** Parses a comma-separated list of wallet names. */
export function parseNames(typed: string): readonly string[] {
  return typed
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
