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
import type { SiteConfig } from './config.ts'
import { offeredFamilies } from './families.ts'
import { methodOrders, type PlaygroundOptions } from './options.ts'

/** The ways in that are not found in the page. They are made once: instances in a row share a relay socket and a frame. */
export type Ways = { readonly phone: Connector; readonly embedded: Connector | undefined }

export function makeWays(config: SiteConfig): Ways {
  const { frame, projectId } = config
  return {
    phone: makePhoneConnector(config),
    embedded: frame === undefined ? undefined : embedded({ frame, projectId }),
  }
}

function makePhoneConnector(config: SiteConfig): Connector {
  return walletConnect({
    relayUrl: config.relay,
    projectId: config.projectId,
    metadata: {
      name: 'Latchkey',
      description: 'The product at work',
      url: location.origin,
      icons: [`${location.origin}/icon.svg`],
    },
  })
}

/** What is in the page before what has to be scanned. */
export const installedFirst: readonly ConnectorGroup[] = [
  'injected',
  'recent',
  'walletConnect',
  'featured',
  'custom',
  'external',
  'recommended',
]

/** The options that only change how the modal looks and speaks; all others make another instance. */
type Looks = 'theme' | 'locale' | 'hue' | 'radius'
export type InstanceOptions = Omit<PlaygroundOptions, Looks>

/** The options that an instance is made of; the same object as long as none of them changes. */
export function instanceOptionsOf(options: PlaygroundOptions, before?: InstanceOptions): InstanceOptions {
  const { theme: _theme, locale: _locale, hue: _hue, radius: _radius, ...rest } = options
  const isSame = before !== undefined && JSON.stringify(before) === JSON.stringify(rest)
  return isSame ? before : rest
}

/** The instance behind the whole page, made anew when the playground changes what it is made of. */
export function makeInstance(config: SiteConfig, ways: Ways, options: InstanceOptions): Latchkey {
  const { networks, phoneWallets, walletList, terms, methodOrder, excluded, onPhone } = options
  return createLatchkey({
    adapters: offeredFamilies(config.networks, networks).map(({ family, networks: own }) => family.adapter(own)),
    connectors: [...(phoneWallets ? [ways.phone] : []), ...(ways.embedded === undefined ? [] : [ways.embedded])],
    server: walletList ? config.server : undefined,
    projectId: config.projectId,
    unsupportedNetworks: options.unsupportedNetworks,
    enableNetworkSwitch: options.networkSwitch,
    multiWallet: options.multiWallet,
    connectAllNamespaces: options.connectAllNamespaces,
    siwx: options.signIn === 'off' ? undefined : localSignIn({ required: options.signIn === 'required' }),
    connectMethodOrder: methodOrders[methodOrder],
    connectorOrder: options.installedFirst ? installedFirst : undefined,
    excludeWallets: namesOf(excluded),
    legal: terms ? { termsUrl: '/terms', privacyUrl: '/privacy' } : undefined,
    features: featuresOf(options),
    isMobile: onPhone ? () => true : undefined,
  })
}

/** Of the features, those that the modal shows by now. */
function featuresOf(options: InstanceOptions): Partial<Features> {
  const { allWallets, legalCheckbox, collapseWallets, email, socials } = options
  return { allWallets, legalCheckbox, collapseWallets, email, ...(socials ? {} : { socials: false }) }
}

/** What somebody typed, one wallet after each comma. */
export function namesOf(typed: string): readonly string[] {
  return typed
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
