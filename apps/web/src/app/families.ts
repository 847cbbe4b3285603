import { bitcoin } from '@latchkey/bitcoin'
import type { Adapter } from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { polkadot, type PolkadotNetwork } from '@latchkey/polkadot'
import type { Namespace, Network } from '@latchkey/protocol'
import { solana } from '@latchkey/solana'
import type { Chain } from 'viem'

/** A chain family that this site can offer. */
export type Family = {
  namespace: Namespace
  /** The function that makes its adapter, and the package that has it. */
  factory: string
  from: string
  adapter(networks: Networks): Adapter
  /** What an app passes to the factory for networks of these names. */
  options(names: readonly string[]): string
}

type Networks = readonly [Network, ...Network[]]

/** The families in the order of their adapters. Another one is a line here. */
const families: readonly Family[] = [
  {
    namespace: 'eip155',
    factory: 'evm',
    from: '@latchkey/evm',
    adapter: ([first, ...others]) => evm({ chains: [chainOf(first), ...others.map(chainOf)] }),
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
    adapter: ([first, ...others]) => polkadot({ networks: [ss58Network(first), ...others.map(ss58Network)] }),
    options: (names) => `{ networks: [${names.join(', ')}] }`,
  },
]

/** The families of which a network is chosen, with those networks; the first family when none is. */
export function offeredFamilies(
  networks: readonly Network[],
  chosen: readonly string[],
): ReadonlyArray<{ family: Family; networks: Networks }> {
  const offered = offeredOf(networks.filter(({ caipNetworkId }) => chosen.includes(caipNetworkId)))
  return offered.length > 0 ? offered : offeredOf(networks).slice(0, 1)
}

function offeredOf(networks: readonly Network[]): ReadonlyArray<{ family: Family; networks: Networks }> {
  return families.flatMap((family) => {
    const [first, ...others] = networks.filter(({ chainNamespace }) => chainNamespace === family.namespace)
    return first === undefined ? [] : [{ family, networks: [first, ...others] as const }]
  })
}

/** A network in the shape that the EVM adapter takes: viem's. */
function chainOf({ id, name, nativeCurrency, rpcUrls, testnet, contracts }: Network): Chain {
  const http = [...rpcUrls.default.http]
  const address = contracts?.ensUniversalResolver?.address
  return {
    id: Number(id),
    name,
    nativeCurrency,
    rpcUrls: { default: { http } },
    testnet,
    // Written by the local world from the address of a contract.
    ...(address !== undefined && { contracts: { ensUniversalResolver: { address: address as `0x${string}` } } }),
  }
}

/** A network with the number that its addresses begin with; the one of no network in particular where nobody said. */
function ss58Network(network: Network): PolkadotNetwork {
  const format: unknown = Reflect.get(network, 'ss58Format')
  return { ...network, ss58Format: typeof format === 'number' ? format : 42 }
}
