import type { AccountId, ChainId, Network } from '@latchkey/protocol'
import { genericFormat, referenceOf } from './networks.ts'

/** The number that addresses of a network begin with; the generic one where nobody said. */
export function formatOf(networks: readonly Network[], chainId: ChainId): number {
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const format: unknown = network === undefined ? undefined : Reflect.get(network, 'ss58Format')
  return typeof format === 'number' ? format : genericFormat
}

/** An address on a chain (CAIP-10). */
export function accountIdOf(chainId: ChainId, address: string): AccountId {
  return `polkadot:${referenceOf(chainId)}:${address}`
}
