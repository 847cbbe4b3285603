import type { ConnectMethod, Features, UnsupportedNetworkPolicy } from '@latchkey/core'

/** The orders of login methods. `auto` depends on the installed wallets. */
export const methodOrders: { readonly [order in MethodOrder]: readonly ConnectMethod[] | undefined } = {
  auto: undefined,
  wallets: ['wallet', 'email', 'social'],
  logins: ['email', 'social', 'wallet'],
}

export type MethodOrder = 'auto' | 'wallets' | 'logins'

/** The sign-in policy: off, optional, or required. A required sign-in disconnects users who decline. */
export type SignInChoice = 'off' | 'optional' | 'required'

/** The options of the playground. */
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
  /** The names of wallets to hide, as typed. */
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
  /** Shows the modal as on a phone. */
  onPhone: boolean
}

/** Returns the default options. */
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

/** Parses the sign-in policy from the page's address: `?sign-in=required`. */
export function parseSignInChoice(): SignInChoice {
  const choice = new URLSearchParams(location.search).get('sign-in')
  return choice === 'optional' || choice === 'required' ? choice : 'off'
}
