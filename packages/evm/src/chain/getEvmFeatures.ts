import type { Feature } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'

/** Chains where swaps are assumed to work [R9.4.2]. For other chains, the server reports whether it supports swaps. */
const swapChains: readonly (number | string)[] = [1, 10, 56, 100, 137, 250, 324, 8217, 8453, 42161, 43114, 1313161554]

/** Lists the features that a server may offer for an eip155 network. */
export function getEvmFeatures({ id }: Network): readonly Feature[] {
  return ['balances', 'nfts', 'history', 'names', 'onramp', ...(swapChains.includes(id) ? (['swaps'] as const) : [])]
}
