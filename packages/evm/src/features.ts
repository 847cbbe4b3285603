import type { Feature } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'

/** The networks whose exchanges everybody knows [R9.4.2]; elsewhere a server says whether it swaps. */
const swapped: readonly (number | string)[] = [1, 10, 56, 100, 137, 250, 324, 8217, 8453, 42161, 43114, 1313161554]

/** What a server can tell or do about a network of eip155. */
export function featuresOf({ id }: Network): readonly Feature[] {
  return ['balances', 'nfts', 'history', 'names', 'onramp', ...(swapped.includes(id) ? (['swaps'] as const) : [])]
}
