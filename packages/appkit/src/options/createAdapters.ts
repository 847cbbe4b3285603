import type { Adapter } from '@latchkey/core'
import { bitcoin } from '@latchkey/bitcoin'
import type { Namespace } from '@latchkey/protocol'
import { solana } from '@latchkey/solana'
import type { AppKitAdapter } from '../adapters/appKitAdapter.ts'
import { createEvmAdapter } from '../adapters/createEvmAdapter.ts'
import { networksMissing } from '../network/networksMissing.ts'
import { toCaipNetwork, toNetwork, withCustomRpcUrls, type CaipNetwork } from '../network/appKitNetwork.ts'
import type { AppKitOptions } from './appKitOptions.ts'

/** A list that is not empty. */
type NonEmptyList<item> = readonly [item, ...item[]]

/**
 * Creates the adapters of an app, in the order of its networks. Without any, users connect phone wallets only.
 *
 * @throws LatchkeyError `appkit/networks-missing` if an adapter has no network
 */
export function createAdapters(options: AppKitOptions): readonly Adapter[] {
  const { adapters = [], customRpcUrls } = options
  const networks = options.networks.map((each) => withCustomRpcUrls(toCaipNetwork(each), customRpcUrls))
  const inUse = [...new Set(networks.map(({ chainNamespace }) => chainNamespace))]
  const unused = adapters.find(({ namespace }) => !inUse.includes(namespace))
  if (unused !== undefined) throw networksMissing(unused.namespace)
  return inUse.flatMap((namespace) => {
    const [first, ...others] = networks.filter(({ chainNamespace }) => chainNamespace === namespace)
    if (first === undefined) return []
    const adapter = createAdapter(options, adapters, namespace, [first, ...others])
    return adapter === undefined ? [] : [withPictures(adapter, options)]
  })
}

function createAdapter(
  options: AppKitOptions,
  adapters: readonly AppKitAdapter[],
  namespace: Namespace,
  networks: NonEmptyList<CaipNetwork>,
): Adapter | undefined {
  const adapter = adapters.find((each) => each.namespace === namespace)
  if (adapter !== undefined) return adapter.createAdapter(networks, options)
  return adapters.length === 0 ? createPhoneAdapter(namespace, networks) : undefined
}

/** Creates an adapter that finds no wallets in the page. */
function createPhoneAdapter(namespace: Namespace, networks: NonEmptyList<CaipNetwork>): Adapter | undefined {
  const [first, ...others] = networks
  const all = [toNetwork(first), ...others.map(toNetwork)] as const
  switch (namespace) {
    case 'eip155':
      return { ...createEvmAdapter(networks, {}), discover: undefined }
    case 'solana':
      return { ...solana({ networks: all }), discover: undefined }
    case 'bip122':
      return { ...bitcoin({ networks: all }), discover: undefined }
    case 'polkadot':
      return undefined
  }
}

/** Adds the pictures of the app to the networks of an adapter. */
function withPictures(adapter: Adapter, { chainImages = {}, networks }: AppKitOptions): Adapter {
  const pictureOf = ({ id }: Pick<CaipNetwork, 'id'>): string | undefined =>
    chainImages[id] ?? networks.find((each) => String(each.id) === String(id))?.assets?.imageUrl
  const [first, ...others] = adapter.networks.map((network) => {
    const imageUrl = pictureOf(network)
    return imageUrl === undefined ? network : { ...network, assets: { ...network.assets, imageUrl } }
  })
  return first === undefined ? adapter : { ...adapter, networks: [first, ...others] }
}
