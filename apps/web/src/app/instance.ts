import { createLatchkey, type Adapter, type Connector, type Latchkey } from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { solana } from '@latchkey/solana'
import { walletConnect } from '@latchkey/walletconnect'
import type { Namespace, Network } from '@latchkey/protocol'
import type { Chain } from 'viem'
import type { SiteConfig } from './config.ts'
import type { PlaygroundOptions } from './options.ts'

/** The networks of the deployment in the shape that the adapter takes: viem's. */
function chainsOf(config: SiteConfig, chosen: readonly string[]): [Chain, ...Chain[]] {
  const [fallback] = networksOf(config, 'eip155')
  const [first = fallback, ...rest] = networksOf(config, 'eip155', chosen)
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

function networksOf({ networks }: SiteConfig, namespace: Namespace, chosen?: readonly string[]): readonly Network[] {
  return networks.filter(
    ({ chainNamespace, caipNetworkId }) =>
      chainNamespace === namespace && (chosen === undefined || chosen.includes(caipNetworkId)),
  )
}

/** The families of which a network is offered; the first is there in any case. */
function adaptersOf(config: SiteConfig, chosen: readonly string[]): readonly Adapter[] {
  const [first, ...others] = networksOf(config, 'solana', chosen)
  const ofSolana = first === undefined ? [] : [solana({ networks: [first, ...others] })]
  return [evm({ chains: chainsOf(config, chosen) }), ...ofSolana]
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
    adapters: adaptersOf(config, options.networks),
    connectors: options.phoneWallets ? [phone] : [],
    server: options.walletList ? config.server : undefined,
    projectId: config.projectId,
    allowUnsupportedNetworks: options.allowUnsupportedNetworks,
  })
}
