import { type ChainId, type Namespace, type Network, type WalletListEntry, configError } from '@latchkey/protocol'
import type { Adapter } from '../contracts/adapter.ts'
import type { Clock } from '../contracts/clock.ts'
import type { AccountType, Connector } from '../contracts/connector.ts'
import type { SocialProvider } from '../contracts/login.ts'
import type { SignIn } from '../signIn/signInState.ts'
import type { SiweConfig } from '../signIn/siweConfig.ts'
import type { Storage } from '../storage/storage.ts'

/** Groups of the wallet list, in display order. */
export type ConnectorGroup =
  | 'walletConnect'
  | 'recent'
  | 'injected'
  | 'featured'
  | 'custom'
  | 'external'
  | 'recommended'

/** The app, as wallets show it. */
export type AppMetadata = { name: string; description?: string; url: string; icons?: readonly string[] }

/** The features of the product. Defaults follow section 9 of the specification. */
export type Features = {
  swaps: boolean
  onramp: boolean
  receive: boolean
  send: boolean
  email: boolean
  /** The social logins in display order, or false for none. */
  socials: readonly SocialProvider[] | false
  history: boolean
  /** The button to the whole wallet list: everywhere, nowhere, or on phones only. */
  allWallets: boolean | 'mobile'
  /** A checkbox to tick before connecting, if `legal` has documents. */
  legalCheckbox: boolean
  smartSessions: boolean
  /** Shows all wallets behind one row, if there are other ways to connect. */
  collapseWallets: boolean
}

/** The groups of connection methods, in display order. */
export type ConnectMethod = 'wallet' | 'email' | 'social'

/** The reaction to a wallet on an unsupported network: none, a notice, or a requirement to switch. */
export type UnsupportedNetworkPolicy = 'ignore' | 'inform' | 'require'

/** The options of {@link createLatchkey}. Only `adapters` is required. */
export type LatchkeyOptions = {
  /** One per namespace. */
  adapters: readonly Adapter[]
  /** Connectors that are not discovered in the page: `walletConnect(…)`. */
  connectors?: readonly Connector[]
  /**
   * The base URL of a Latchkey server, for balances and the wallet list. Without it, only chains and wallets provide
   * data.
   */
  server?: string
  /** 32 hex characters that identify the app to the server and the relay. */
  projectId?: string
  /** The initial network. Defaults to the first network of the first adapter. */
  defaultNetwork?: ChainId
  /** Set to false if the UI must not offer other networks. Defaults to true. */
  enableNetworkSwitch?: boolean
  /** The wallets to exclude, by reverse-DNS name, id or name (in any case). */
  excludeWallets?: readonly string[]
  /** If set, only these wallets of the list are shown, by id, reverse-DNS name or name (in any case). */
  includeWallets?: readonly string[]
  /** Ids of wallets to show first from the wallet list. */
  featuredWallets?: readonly string[]
  /** Wallets that the app adds to the list. */
  customWallets?: readonly WalletListEntry[]
  features?: Partial<Features>
  /** Defaults to wallet, email, social if the page has a wallet, else to email, social, wallet. */
  connectMethodOrder?: readonly ConnectMethod[]
  /** The documents that users accept by connecting. */
  legal?: { termsUrl?: string; privacyUrl?: string }
  /** The preferred kind of account in each namespace. Defaults to those of the specification. */
  accountTypes?: { readonly [namespace in Namespace]?: AccountType }
  /** Defaults to `require`. */
  unsupportedNetworks?: UnsupportedNetworkPolicy
  connectorOrder?: readonly ConnectorGroup[]
  /** Set to true to allow several connected wallets per namespace. By default a new one replaces the previous one. */
  multiWallet?: boolean
  /** Set to true to connect a wallet in all its namespaces at once instead of asking for one. */
  connectAllNamespaces?: boolean
  /**
   * The sign-in of the app: `localSignIn(…)`, `serverSignIn(…)` or your own. Without it, users are not asked to sign
   * in.
   */
  siwx?: SignIn
  /** The older option for sign-in. Setting both is an error. */
  siweConfig?: SiweConfig
  /** The storage of the instance. Defaults to localStorage in a page and to memory on a server. */
  storage?: Storage
  clock?: Clock
  /** Returns true on a phone. Defaults to a check of the user agent. */
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

const defaultAccountTypes: { readonly [namespace in Namespace]?: AccountType } = {
  eip155: 'smartAccount',
  solana: 'eoa',
  polkadot: 'eoa',
  bip122: 'payment',
}

/** The options with all defaults applied. */
export type Settings = Required<
  Pick<
    LatchkeyOptions,
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
    /** The sign-in of the app, from either option, if any. */
    signIn: SignIn | SiweConfig | undefined
    /** Undefined only when there is no adapter. */
    defaultNetwork: Network | undefined
  }

/**
 * Checks the options of an app and fills in the defaults.
 *
 * @throws LatchkeyError `config/invalid`, listing every mistake at once.
 */
export function parseOptions(options: LatchkeyOptions, networks: readonly Network[]): Settings {
  const problems = findOptionProblems(options, networks)
  if (problems.length > 0) throw configError('config/invalid', { problems })
  return {
    server: options.server?.replace(/\/+$/, ''),
    projectId: options.projectId,
    signIn: options.siwx ?? (options.siweConfig?.enabled === false ? undefined : options.siweConfig),
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
    unsupportedNetworks: options.unsupportedNetworks ?? 'require',
    featuredWallets: options.featuredWallets ?? [],
    connectorOrder: options.connectorOrder ?? defaultOrder,
    isMobile: options.isMobile ?? isMobilePlatform,
    defaultNetwork: networks.find((network) => network.caipNetworkId === options.defaultNetwork) ?? networks[0],
  }
}

function findOptionProblems(options: LatchkeyOptions, networks: readonly Network[]): string[] {
  const { adapters, connectors = [], server, projectId, defaultNetwork } = options
  const problems: string[] = []
  const complain = (wrong: boolean, sentence: string): void => void (wrong && problems.push(sentence))
  complain(
    hasDuplicates(adapters.map((adapter) => adapter.namespace)),
    'adapters: two adapters handle the same namespace',
  )
  complain(hasDuplicates(connectors.map((connector) => connector.id)), 'connectors: two connectors have the same id')
  complain(hasDuplicates(networks.map((network) => network.caipNetworkId)), 'adapters: a network is configured twice')
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

function hasDuplicates(values: readonly string[]): boolean {
  return new Set(values).size !== values.length
}

function isMobilePlatform(): boolean {
  return typeof navigator !== 'undefined' && /android|iphone|ipad|ipod|mobile/i.test(navigator.userAgent)
}
