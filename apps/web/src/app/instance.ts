import { createLatchkey, type Connector, type Latchkey } from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { walletConnect } from '@latchkey/walletconnect'
import type { Chain } from 'viem'
import type { SiteConfig } from './config.ts'
import type { PlaygroundOptions } from './options.ts'

/** The networks of the deployment in the shape that the adapter takes: viem's. */
function chainsOf(config: SiteConfig, chosen: readonly string[]): [Chain, ...Chain[]] {
  const networks = config.networks.filter((network) => chosen.includes(network.caipNetworkId))
  const [first = config.networks[0], ...rest] = networks
  if (first === undefined) throw new Error('The configuration names no network.')
  const chainOf = ({ id, name, nativeCurrency, rpcUrls, testnet }: SiteConfig['networks'][number]): Chain => ({
    id: Number(id),
    name,
    nativeCurrency,
    rpcUrls: { default: { http: [...rpcUrls.default.http] } },
    testnet,
  })
  return [chainOf(first), ...rest.map(chainOf)]
}

/** The way to phone wallets. It is made once: several instances in a row share its relay socket. */
export function makePhoneConnector(config: SiteConfig): Connector {
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

/** The options that an instance is made of; the others only change how it looks. */
export type InstanceOptions = Pick<
  PlaygroundOptions,
  'networks' | 'phoneWallets' | 'walletList' | 'allowUnsupportedNetworks'
>

/** The instance behind the whole page, made anew when the playground changes what it is made of. */
export function makeInstance(config: SiteConfig, phone: Connector, options: InstanceOptions): Latchkey {
  return createLatchkey({
    adapters: [evm({ chains: chainsOf(config, options.networks) })],
    connectors: options.phoneWallets ? [phone] : [],
    server: options.walletList ? config.server : undefined,
    projectId: config.projectId,
    allowUnsupportedNetworks: options.allowUnsupportedNetworks,
  })
}
