import type {
  AccountType,
  AppMetadata,
  ConnectMethod,
  ConnectorGroup,
  SignIn,
  SocialProvider,
  Storage,
} from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import type { AppKitAdapter } from '../adapters/appKitAdapter.ts'
import type { AppKitNetwork, AppKitNetworks, CustomRpcUrls } from '../network/appKitNetwork.ts'
import type { SiweClient } from '../siwe/siweClient.ts'
import type { ThemeMode, ThemeVariables } from '../theme/themeVariables.ts'

/**
 * The services that the operator runs in place of the vendor's cloud. This is the only option that AppKit does not have.
 */
export type LatchkeyServices = {
  /** The base URL of the Latchkey server. The origin of the page by default; false for none. */
  server?: string | false
  /** The WebSocket URL of the relay. `/relay` at the server by default; false for none: no phone wallets. */
  relayUrl?: string | false
  /** The origin of the embedded wallet's frame. Without it, there are no e-mail and social logins. */
  frame?: string
  /** The language of the modal (BCP 47), or `auto` for the language of the browser. English by default. */
  locale?: string
  /** The storage of connections. localStorage by default. */
  storage?: Storage
}

/** A wallet that the app adds to the list. */
export type CustomWallet = {
  id: string
  name: string
  homepage?: string
  image_url?: string
  mobile_link?: string
  desktop_link?: string
  webapp_link?: string
  app_store?: string
  play_store?: string
  chrome_store?: string
  rdns?: string
}

/** The groups of wallets, in display order. */
export type ConnectorTypeOrder = ConnectorGroup

/** The actions of the account view. */
export type WalletFeature = 'onramp' | 'swaps' | 'receive' | 'send'

export type AppKitFeatures = {
  swaps?: boolean | readonly string[]
  onramp?: boolean | readonly string[]
  receive?: boolean
  send?: boolean
  email?: boolean
  /** Has no effect: wallets are always shown next to e-mail. */
  emailShowWallets?: boolean
  socials?: readonly SocialProvider[] | false
  history?: boolean
  /** Has no effect: Latchkey sends no analytics. */
  analytics?: boolean
  allWallets?: boolean
  legalCheckbox?: boolean
  smartSessions?: boolean
  collapseWallets?: boolean
  connectorTypeOrder?: readonly ConnectorTypeOrder[]
  connectMethodsOrder?: readonly ConnectMethod[]
  /** Has no effect: the actions have a fixed order. */
  walletFeaturesOrder?: readonly WalletFeature[]
  /** Has no effect: Latchkey has no such service. */
  pay?: boolean
  /** Has no effect: use `siwx`. */
  reownAuthentication?: boolean
  /** Has no effect: use the actions of `@latchkey/core`. */
  headless?: boolean
}

/** The options of `createAppKit`. */
export type AppKitOptions = {
  /** 32 hexadecimal characters that identify the app to the operator's server and relay. */
  projectId: string
  networks: AppKitNetworks
  /** One per namespace. Without one, users connect phone wallets only. */
  adapters?: readonly AppKitAdapter[]
  /** The operator's services. By default, they are at the origin of the page. */
  latchkey?: LatchkeyServices
  defaultNetwork?: AppKitNetwork
  /** The app as wallets show it. Read from the page by default. */
  metadata?: AppMetadata
  themeMode?: ThemeMode
  themeVariables?: ThemeVariables
  features?: AppKitFeatures
  allWallets?: 'SHOW' | 'HIDE' | 'ONLY_MOBILE'
  featuredWalletIds?: readonly string[]
  includeWalletIds?: readonly string[]
  excludeWalletIds?: readonly string[]
  customWallets?: readonly CustomWallet[]
  /** Has no effect: the account button shows the native balance. */
  tokens?: Readonly<Record<string, { address: string; image?: string }>>
  termsConditionsUrl?: string
  privacyPolicyUrl?: string
  /** Pictures of networks, by the id within their namespace. */
  chainImages?: { readonly [chainId in string | number]?: string }
  /** Has no effect: wallets bring their pictures. */
  connectorImages?: Readonly<Record<string, string>>
  customRpcUrls?: CustomRpcUrls
  /** False to hide alerts about mistakes of the app. True by default. */
  debug?: boolean
  /** False to show only logins. */
  enableWallets?: boolean
  enableEIP6963?: boolean
  /** False to exclude Coinbase Wallet. */
  enableCoinbase?: boolean
  enableInjected?: boolean
  /** Has no effect: the guide is one link of the modal. */
  enableWalletGuide?: boolean
  enableAuthLogger?: boolean
  enableNetworkSwitch?: boolean
  enableWalletConnect?: boolean
  /** Has no effect: the wallet is discovered in the page. */
  enableBaseAccount?: boolean
  /** False to start without the connection of the last visit. */
  enableReconnect?: boolean
  /** True to render the modal inside `<appkit-modal>`. */
  enableEmbedded?: boolean
  /** Has no effect: the modal fills the width of a phone. */
  enableMobileFullScreen?: boolean
  /** True if the app places `<appkit-modal>` itself. */
  disableAppend?: boolean
  allowUnsupportedChain?: boolean
  /** Has no effect: the wallet decides. */
  coinbasePreference?: 'all' | 'smartWalletOnly' | 'eoaOnly'
  /** Has no effect: universal links are preferred where a wallet has them. */
  experimental_preferUniversalLinks?: boolean
  siwx?: SignIn
  siweConfig?: SiweClient
  defaultAccountTypes?: { readonly [namespace in Namespace]?: AccountType }
  /** True to open the QR code at once. */
  manualWCControl?: boolean
  /** Not supported: Latchkey creates its own client of the relay. */
  universalProvider?: unknown
  /** Has no effect: Latchkey proposes all networks of the app. */
  universalProviderConfigOverride?: unknown
  /** True to leave out the account's balances, payments and history. */
  basic?: boolean
  /** Has no effect: it only feeds the vendor's analytics. */
  showWallets?: boolean
}
