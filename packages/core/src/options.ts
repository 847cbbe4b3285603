import { LatchkeyError, type ChainId, type Namespace, type Network, type WalletListEntry } from '@latchkey/protocol'
import type { Adapter } from './adapter.ts'
import type { Clock } from './clock.ts'
import type { AccountType, Connector } from './connector.ts'
import type { SignIn } from './signIn/signIn.ts'
import type { SiweConfig } from './signIn/siweConfig.ts'
import type { Storage } from './storage/storage.ts'

/** Groups of the wallet list in the connect view, in the order they are shown. */
export type ConnectorGroup =
  'walletConnect' | 'recent' | 'injected' | 'featured' | 'custom' | 'external' | 'recommended'

/** Who asks, as wallets show it. */
export type AppMetadata = { name: string; description?: string; url: string; icons?: readonly string[] }

/** What of the product is on; the defaults are those of section 9 of the specification. */
export type Features = {
  swaps: boolean
  onramp: boolean
  receive: boolean
  send: boolean
  email: boolean
  /** In the order in which they are shown; false for none. */
  socials: readonly SocialProvider[] | false
  history: boolean
  /** The way to the whole wallet list: everywhere, nowhere, or on phones only. */
  allWallets: boolean | 'mobile'
  /** A box to tick before connecting, where `legal` gives something to agree to. */
  legalCheckbox: boolean
  smartSessions: boolean
  /** Wallets behind one row, when there are other ways in. */
  collapseWallets: boolean
}

export type SocialProvider = 'google' | 'x' | 'discord' | 'farcaster' | 'github' | 'apple' | 'facebook'

/** The groups of ways in, in the order they are shown. */
export type ConnectMethod = 'wallet' | 'email' | 'social'

/** What happens when a wallet is on a network that the app does not offer: nothing, a notice, or a view that insists. */
export type UnsupportedNetworkPolicy = 'ignore' | 'inform' | 'require'

/** What an app passes to {@link createLatchkey}. Only `adapters` is needed. */
export type LatchkeyOptions = {
  /** One per chain family. */
  adapters: readonly Adapter[]
  /** Ways in that are not found in the page: `walletConnect(…)`. */
  connectors?: readonly Connector[]
  /** Base URL of a Latchkey server, for balances and the wallet list. Without it only chains and wallets are asked. */
  server?: string
  /** 32 hex characters that name the app to the server and the relay. */
  projectId?: string
  /** The network to begin with; the first of the first adapter when left out. */
  defaultNetwork?: ChainId
  /** Let a wallet stay on a network that is not configured. */
  allowUnsupportedNetworks?: boolean
  /** Whether the visitor may change networks here; true when left out. */
  enableNetworkSwitch?: boolean
  /** Reverse-DNS names, ids or names (in any case) of wallets never to show. */
  excludeWallets?: readonly string[]
  /** The only wallets of the list to show, by id, rdns or name (in any case). */
  includeWallets?: readonly string[]
  /** Ids of wallets to show first from the wallet list. */
  featuredWallets?: readonly string[]
  /** Wallets of the app's own, beside the list. */
  customWallets?: readonly WalletListEntry[]
  features?: Partial<Features>
  /** Left out: wallet, email, social with a wallet in the page, else email, social, wallet. */
  connectMethodOrder?: readonly ConnectMethod[]
  /** What a visitor agrees to by connecting. */
  legal?: { termsUrl?: string; privacyUrl?: string }
  /** Which kind of account to prefer in each namespace; the defaults of the specification for the others. */
  accountTypes?: { readonly [namespace in Namespace]?: AccountType }
  /** `require` when left out; `allowUnsupportedNetworks` is `ignore`. */
  unsupportedNetworks?: UnsupportedNetworkPolicy
  connectorOrder?: readonly ConnectorGroup[]
  /** Whether a visitor may have several wallets at once in a namespace; otherwise a new one replaces the one before. */
  multiWallet?: boolean
  /** Whether a wallet of several namespaces is connected in all of them at once, instead of asking in which. */
  connectAllNamespaces?: boolean
  /** How visitors sign in with their wallets: `localSignIn(…)`, `serverSignIn(…)` or the app's own. Nobody does when left out. */
  siwx?: SignIn
  /** The older way to say that; both at once are a mistake. */
  siweConfig?: SiweConfig
  /** Where to remember; localStorage in a page, memory on a server. */
  storage?: Storage
  clock?: Clock
  /** Whether the visitor holds a phone; asked of the platform when left out. */
  isMobile?: () => boolean
}

const defaultOrder: readonly ConnectorGroup[] = [
  'walletConnect',
  'recent',
  'injected',
  'featured',
  'custom',
  'external',
  'recommended',
]

const defaultFeatures: Features = {
  swaps: true,
  onramp: true,
  receive: true,
  send: true,
  email: true,
  socials: ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'],
  history: true,
  allWallets: true,
  legalCheckbox: false,
  smartSessions: false,
  collapseWallets: false,
}

const defaultAccountTypes: { readonly [namespace in Namespace]: AccountType } = {
  eip155: 'smartAccount',
  solana: 'eoa',
  polkadot: 'eoa',
  bip122: 'payment',
}

/** The options with everything filled in. */
export type Settings = Required<
  Pick<
    LatchkeyOptions,
    | 'allowUnsupportedNetworks'
    | 'accountTypes'
    | 'connectAllNamespaces'
    | 'customWallets'
    | 'enableNetworkSwitch'
    | 'excludeWallets'
    | 'featuredWallets'
    | 'isMobile'
    | 'legal'
    | 'multiWallet'
    | 'unsupportedNetworks'
  >
> &
  Pick<LatchkeyOptions, 'server' | 'projectId' | 'includeWallets' | 'connectMethodOrder'> & {
    features: Features
    connectorOrder: readonly ConnectorGroup[]
    /** By which of its two options the app signs in, if it does. */
    signIn: SignIn | SiweConfig | undefined
    /** Undefined only when there is no adapter. */
    defaultNetwork: Network | undefined
  }

/**
 * Checks the options of an app and fills in the defaults.
 *
 * @throws LatchkeyError `config/invalid`, listing every mistake at once.
 */
export function readOptions(options: LatchkeyOptions, networks: readonly Network[]): Settings {
  const problems = findProblems(options, networks)
  if (problems.length > 0) throw new LatchkeyError('config/invalid', { problems })
  return {
    server: options.server?.replace(/\/+$/, ''),
    projectId: options.projectId,
    signIn: options.siwx ?? (options.siweConfig?.enabled === false ? undefined : options.siweConfig),
    allowUnsupportedNetworks: options.allowUnsupportedNetworks ?? false,
    enableNetworkSwitch: options.enableNetworkSwitch ?? true,
    excludeWallets: options.excludeWallets ?? [],
    includeWallets: options.includeWallets,
    customWallets: options.customWallets ?? [],
    features: { ...defaultFeatures, ...options.features },
    connectMethodOrder: options.connectMethodOrder,
    legal: options.legal ?? {},
    multiWallet: options.multiWallet ?? false,
    connectAllNamespaces: options.connectAllNamespaces ?? false,
    accountTypes: { ...defaultAccountTypes, ...options.accountTypes },
    unsupportedNetworks:
      options.unsupportedNetworks ?? (options.allowUnsupportedNetworks === true ? 'ignore' : 'require'),
    featuredWallets: options.featuredWallets ?? [],
    connectorOrder: options.connectorOrder ?? defaultOrder,
    isMobile: options.isMobile ?? askPlatform,
    defaultNetwork: networks.find((network) => network.caipNetworkId === options.defaultNetwork) ?? networks[0],
  }
}

function findProblems(options: LatchkeyOptions, networks: readonly Network[]): string[] {
  const { adapters, connectors = [], server, projectId, defaultNetwork } = options
  const problems: string[] = []
  const complain = (wrong: boolean, sentence: string): void => void (wrong && problems.push(sentence))
  complain(repeats(adapters.map((adapter) => adapter.namespace)), 'adapters: two adapters handle the same namespace')
  complain(repeats(connectors.map((connector) => connector.id)), 'connectors: two connectors have the same id')
  complain(repeats(networks.map((network) => network.caipNetworkId)), 'adapters: a network is configured twice')
  complain(server !== undefined && !/^https?:\/\/[^/]/.test(server), 'server: must begin with http:// or https://')
  complain(
    options.siwx !== undefined && options.siweConfig !== undefined,
    'Cannot set both `siweConfig` and `siwx` options',
  )
  complain(projectId !== undefined && !/^[0-9a-f]{32}$/i.test(projectId), 'projectId: must be 32 hex characters')
  complain(
    defaultNetwork !== undefined && !networks.some((network) => network.caipNetworkId === defaultNetwork),
    `defaultNetwork: "${defaultNetwork}" is not a network of the adapters`,
  )
  return problems
}

function repeats(values: readonly string[]): boolean {
  return new Set(values).size !== values.length
}

function askPlatform(): boolean {
  return typeof navigator !== 'undefined' && /android|iphone|ipad|ipod|mobile/i.test(navigator.userAgent)
}
