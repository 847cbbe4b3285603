import type { ChainId } from '@latchkey/protocol'

/**
 * The part of a chain id after the namespace (CAIP-2).
 *
 * @example getChainReference('eip155:1') // '1'
 */
export function getChainReference(chainId: ChainId): string {
  return chainId.slice(chainId.indexOf(':') + 1)
}
