/** What a visitor of the playground can change. */
export type PlaygroundOptions = {
  theme: 'system' | 'light' | 'dark'
  locale: 'en' | 'de'
  /** Hue of the accent in degrees; undefined keeps the design's own. */
  hue: number | undefined
  /** Corner radius of the card in pixels. */
  radius: number
  phoneWallets: boolean
  walletList: boolean
  allowUnsupportedNetworks: boolean
  networks: readonly string[]
}

/** The options before anybody touched them. */
export function defaultOptions(networks: readonly string[]): PlaygroundOptions {
  return {
    theme: 'system',
    locale: 'en',
    hue: undefined,
    radius: 24,
    phoneWallets: true,
    walletList: true,
    allowUnsupportedNetworks: false,
    networks,
  }
}
