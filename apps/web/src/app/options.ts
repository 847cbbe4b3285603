import type { ConnectMethod, Features, UnsupportedNetworkPolicy } from '@latchkey/core'

/** In which order the ways in stand: as the page has wallets or not, or always the same. */
export const methodOrders: { readonly [order in MethodOrder]: readonly ConnectMethod[] | undefined } = {
  auto: undefined,
  wallets: ['wallet', 'email', 'social'],
  logins: ['email', 'social', 'wallet'],
}

export type MethodOrder = 'auto' | 'wallets' | 'logins'

/** Whether visitors sign in: not at all, as they like, or else they are disconnected. */
export type SignInChoice = 'off' | 'optional' | 'required'

/** What a visitor of the playground can change. */
export type PlaygroundOptions = {
  theme: 'system' | 'light' | 'dark'
  /** A language tag, or `auto` for the browser's own. */
  locale: string
  /** Hue of the accent in degrees; undefined keeps the design's own. */
  hue: number | undefined
  /** Corner radius of the card in pixels. */
  radius: number
  networks: readonly string[]
  networkSwitch: boolean
  unsupportedNetworks: UnsupportedNetworkPolicy
  phoneWallets: boolean
  walletList: boolean
  allWallets: Features['allWallets']
  installedFirst: boolean
  /** Names of wallets to hide, as they were typed. */
  excluded: string
  methodOrder: MethodOrder
  email: boolean
  socials: boolean
  collapseWallets: boolean
  terms: boolean
  legalCheckbox: boolean
  multiWallet: boolean
  connectAllNamespaces: boolean
  signIn: SignInChoice
  /** Draws what a phone would show. */
  onPhone: boolean
}

/** The options before anybody touched them. */
export function defaultOptions(networks: readonly string[]): PlaygroundOptions {
  return {
    theme: 'system',
    locale: 'en',
    hue: undefined,
    radius: 24,
    networks,
    networkSwitch: true,
    unsupportedNetworks: 'require',
    phoneWallets: true,
    walletList: true,
    allWallets: true,
    installedFirst: false,
    excluded: '',
    methodOrder: 'auto',
    email: true,
    socials: true,
    collapseWallets: false,
    terms: false,
    legalCheckbox: false,
    multiWallet: false,
    connectAllNamespaces: false,
    signIn: 'off',
    onPhone: false,
  }
}

/** What the page's address says of signing in: `?sign-in=required`. */
export function signInOfAddress(): SignInChoice {
  const choice = new URLSearchParams(location.search).get('sign-in')
  return choice === 'optional' || choice === 'required' ? choice : 'off'
}
