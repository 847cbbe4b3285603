import type { SiteConfig } from './siteConfig.ts'
import { listOfferedNamespaces } from './listOfferedNamespaces.ts'
import { installedFirst, parseNames } from './createInstance.ts'
import { defaultOptions, methodOrders, type PlaygroundOptions } from './playgroundOptions.ts'

/** Formats the code that an app needs for the playground's options. Omits defaults. */
export function formatCode(config: SiteConfig, options: PlaygroundOptions): string {
  const offered = listOfferedNamespaces(config.networks, options.networks)
  const adapters = offered.map(({ offered, networks }) => {
    const names = networks.map(({ name }) => toVariableName(name))
    return `    ${offered.factory}(${offered.options(names)}),`
  })
  return [
    `import { createLatchkey${options.signIn === 'off' ? '' : ', localSignIn'} } from '@latchkey/core'`,
    ...offered.map(({ offered }) => `import { ${offered.factory} } from '${offered.from}'`),
    `import { ConnectButton, LatchkeyProvider } from '@latchkey/react'`,
    ...(hasLogins(config, options) ? [`import { embedded } from '@latchkey/embedded'`] : []),
    ...(options.phoneWallets ? [`import { walletConnect } from '@latchkey/walletconnect'`] : []),
    '',
    `const latchkey = createLatchkey({`,
    `  adapters: [`,
    ...adapters,
    `  ],`,
    ...settingLines(config, options),
    `})`,
    '',
    `<LatchkeyProvider latchkey={latchkey}${formatAttributes(options)}>`,
    `  <ConnectButton />`,
    `</LatchkeyProvider>`,
    ...styleLines(options),
  ].join('\n')
}

function settingLines(config: SiteConfig, options: PlaygroundOptions): readonly string[] {
  const defaults = defaultOptions([])
  const order = methodOrders[options.methodOrder]
  const features = featureLines(options)
  const excluded = parseNames(options.excluded)
  const connectors = [
    options.phoneWallets && `walletConnect({ relayUrl: '${config.relay}', projectId, metadata })`,
    hasLogins(config, options) && `embedded({ frame: '${config.frame}', projectId })`,
  ].filter((form) => form !== false)
  return [
    ...(connectors.length > 1 ? ['  connectors: [', ...connectors.map((form) => `    ${form},`), '  ],'] : []),
    connectors.length === 1 && `  connectors: [${connectors[0]}],`,
    options.walletList && `  server: '${config.server}',`,
    options.walletList && `  projectId: '${config.projectId}',`,
    options.unsupportedNetworks !== defaults.unsupportedNetworks &&
      `  unsupportedNetworks: '${options.unsupportedNetworks}',`,
    !options.networkSwitch && `  enableNetworkSwitch: false,`,
    options.multiWallet && `  multiWallet: true,`,
    options.connectAllNamespaces && `  connectAllNamespaces: true,`,
    options.signIn !== 'off' && `  siwx: localSignIn(${options.signIn === 'optional' ? '{ required: false }' : ''}),`,
    order !== undefined && `  connectMethodOrder: [${formatQuoted(order)}],`,
    options.installedFirst && `  connectorOrder: [${formatQuoted(installedFirst)}],`,
    excluded.length > 0 && `  excludeWallets: [${formatQuoted(excluded)}],`,
    options.terms && `  legal: { termsUrl: '/terms', privacyUrl: '/privacy' },`,
    features.length > 0 && `  features: { ${features.join(', ')} },`,
  ].filter((line) => line !== false)
}

function hasLogins({ frame }: SiteConfig, { email, socials }: PlaygroundOptions): boolean {
  return frame !== undefined && (email || socials)
}

function featureLines(options: PlaygroundOptions): readonly string[] {
  const { allWallets } = options
  return [
    allWallets !== true && `allWallets: ${allWallets === 'mobile' ? `'mobile'` : 'false'}`,
    !options.email && 'email: false',
    !options.socials && 'socials: false',
    options.collapseWallets && 'collapseWallets: true',
    options.legalCheckbox && 'legalCheckbox: true',
  ].filter((line) => line !== false)
}

function formatAttributes({ theme, locale }: PlaygroundOptions): string {
  const themed = theme === 'system' ? '' : ` theme="${theme}"`
  return locale === 'en' ? themed : `${themed} locale="${locale}"`
}

function styleLines({ hue, radius }: PlaygroundOptions): readonly string[] {
  const tokens = [
    hue !== undefined && `  --latchkey-accent: oklch(0.45 0.19 ${hue});`,
    radius !== 24 && `  --latchkey-radius: ${radius}px;`,
  ].filter((line) => line !== false)
  return tokens.length === 0 ? [] : ['', '/* in your stylesheet */', ':root {', ...tokens, '}']
}

function formatQuoted(texts: readonly string[]): string {
  return texts.map((text) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`).join(', ')
}

/** `Latchkey Second` becomes `latchkeySecond`. */
function toVariableName(name: string): string {
  const joined = name.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())
  return joined.charAt(0).toLowerCase() + joined.slice(1)
}
