import { bitcoin } from '@latchkey/bitcoin'
import type { Adapter } from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { polkadot, type PolkadotNetwork } from '@latchkey/polkadot'
import type { Namespace, Network } from '@latchkey/protocol'
import { solana } from '@latchkey/solana'
import type { Chain } from 'viem'

/** A namespace that this site offers. */
export type OfferedNamespace = {
  namespace: Namespace
  /** The adapter's factory function and its package. */
  factory: string
  from: string
  adapter(networks: Networks): Adapter
  /** The factory's options in source code, for networks with these names. */
  options(names: readonly string[]): string
}

type Networks = readonly [Network, ...Network[]]

/** The offered namespaces in the order of their adapters. */
const offeredNamespaces: readonly OfferedNamespace[] = [
  {
    namespace: 'eip155',
    factory: 'evm',
    from: '@latchkey/evm',
    adapter: ([first, ...others]) => evm({ chains: [toChain(first), ...others.map(toChain)] }),
    options: (names) => `{ chains: [${names.join(', ')}] }`,
  },
  {
    namespace: 'solana',
    factory: 'solana',
    from: '@latchkey/solana',
    adapter: (networks) => solana({ networks }),
    options: (names) => `{ networks: [${names.join(', ')}] }`,
  },
  {
    namespace: 'bip122',
    factory: 'bitcoin',
    from: '@latchkey/bitcoin',
    adapter: (networks) => bitcoin({ networks }),
    options: (names) => `{ networks: [${names.join(', ')}] }`,
  },
  {
    namespace: 'polkadot',
    factory: 'polkadot',
    from: '@latchkey/polkadot',
    adapter: ([first, ...others]) =>
      polkadot({ networks: [toPolkadotNetwork(first), ...others.map(toPolkadotNetwork)] }),
    options: (names) => `{ networks: [${names.join(', ')}] }`,
  },
]

/** Lists the namespaces with selected networks. Falls back to the first namespace if none is selected. */
export function listOfferedNamespaces(
  networks: readonly Network[],
  chosen: readonly string[],
): ReadonlyArray<{ offered: OfferedNamespace; networks: Networks }> {
  const offered = groupNetworks(networks.filter(({ caipNetworkId }) => chosen.includes(caipNetworkId)))
  return offered.length > 0 ? offered : groupNetworks(networks).slice(0, 1)
}

function groupNetworks(networks: readonly Network[]): ReadonlyArray<{ offered: OfferedNamespace; networks: Networks }> {
  return offeredNamespaces.flatMap((offered) => {
    const [first, ...others] = networks.filter(({ chainNamespace }) => chainNamespace === offered.namespace)
    return first === undefined ? [] : [{ offered, networks: [first, ...others] as const }]
  })
}

/** Converts a network to viem's chain type, which the EVM adapter expects. */
function toChain({ id, name, nativeCurrency, rpcUrls, testnet, contracts }: Network): Chain {
  const http = [...rpcUrls.default.http]
  const address = contracts?.ensUniversalResolver?.address
  return {
    id: Number(id),
    name,
    nativeCurrency,
    rpcUrls: { default: { http } },
    testnet,
    // The local world writes it from the address of a contract.
    ...(address !== undefined && { contracts: { ensUniversalResolver: { address: address as `0x${string}` } } }),
  }
}

/** Adds the SS58 prefix of a network's addresses. Defaults to the generic prefix. */
function toPolkadotNetwork(network: Network): PolkadotNetwork {
  const format: unknown = Reflect.get(network, 'ss58Format')
  return { ...network, ss58Format: typeof format === 'number' ? format : 42 }
}
