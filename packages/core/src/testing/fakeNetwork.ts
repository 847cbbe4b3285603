import {
  formatAccountId,
  formatChainId,
  type AccountId,
  type ChainId,
  type Namespace,
  type Network,
} from '@latchkey/protocol'

/**
 * Creates a network that does not exist.
 *
 * @example fakeNetwork({ namespace: 'solana', id: 'devnet' }).caipNetworkId // 'solana:devnet'
 */
export function fakeNetwork({
  namespace = 'eip155',
  id = 1,
  ...rest
}: { namespace?: Namespace } & Partial<Omit<Network, 'caipNetworkId' | 'chainNamespace'>> = {}): Network {
  return {
    id,
    caipNetworkId: formatChainId({ namespace, reference: String(id) }),
    chainNamespace: namespace,
    name: `Network ${id}`,
    nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [`https://rpc.invalid/${id}`] } },
    blockExplorers: { default: { name: 'Explorer', url: `https://explorer.invalid/${id}` } },
    ...rest,
  }
}

/**
 * Returns an address without a known key.
 *
 * @param index the same number gives the same address
 */
export function fakeAddress(namespace: Namespace, index: number = 0): string {
  if (namespace === 'eip155') return `0x${(0xfa4e + index).toString(16).padStart(40, 'a')}`
  return `${namespace}Fake${'1'.repeat(20)}${index}`
}

/** Returns the account of a {@link fakeAddress} on a chain. */
export function fakeAccount(chainId: ChainId, index: number = 0): AccountId {
  // The namespace is the part before the colon. `formatAccountId` rejects unknown ones.
  const namespace = chainId.slice(0, chainId.indexOf(':')) as Namespace
  return formatAccountId({ chainId, address: fakeAddress(namespace, index) })
}
