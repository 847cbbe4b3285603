import type { SiteConfig } from './config.ts'
import type { PlaygroundOptions } from './options.ts'

/** Writes the code that an app needs for the options of the playground. */
export function writeCode(config: SiteConfig, options: PlaygroundOptions): string {
  const chains = config.networks
    .filter(({ chainNamespace }) => chainNamespace === 'eip155')
    .filter(({ caipNetworkId }) => options.networks.includes(caipNetworkId))
    .map(({ name }) => name.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .map((name) => name.charAt(0).toLowerCase() + name.slice(1))
  const hasSolana = config.networks.some(
    ({ chainNamespace, caipNetworkId }) => chainNamespace === 'solana' && options.networks.includes(caipNetworkId),
  )
  const lines = [
    `const latchkey = createLatchkey({`,
    `  adapters: [evm({ chains: [${chains.join(', ')}] })${hasSolana ? ', solana()' : ''}],`,
    options.phoneWallets && `  connectors: [walletConnect({ relayUrl: '${config.relay}', projectId, metadata })],`,
    options.walletList && `  server: '${config.server}',`,
    options.walletList && `  projectId,`,
    options.allowUnsupportedNetworks && `  allowUnsupportedNetworks: true,`,
    `})`,
    ``,
    `<LatchkeyProvider latchkey={latchkey} theme="${options.theme}" locale="${options.locale}">`,
    `  <ConnectButton />`,
    `</LatchkeyProvider>`,
    ...styleLines(options),
  ]
  return lines.filter((line) => line !== false).join('\n')
}

function styleLines({ hue, radius }: PlaygroundOptions): readonly string[] {
  const tokens = [
    hue !== undefined && `  --latchkey-accent: oklch(0.45 0.19 ${hue});`,
    radius !== 24 && `  --latchkey-radius: ${radius}px;`,
  ].filter((line) => line !== false)
  return tokens.length === 0 ? [] : ['', '/* in your stylesheet */', ':root {', ...tokens, '}']
}
