import type { AccountId, ChainId, Namespace } from '@latchkey/protocol'
import { getChainReference } from './getChainReference.ts'

/**
 * Writes an account id (CAIP-10) for an adapter's own namespace.
 *
 * @example toAccountId('eip155', 'eip155:1', '0xab16…') // 'eip155:1:0xab16…'
 */
export function toAccountId(namespace: Namespace, chainId: ChainId, address: string): AccountId {
  return `${namespace}:${getChainReference(chainId)}:${address}`
}

/**
 * Checks that a list of accounts is not empty, which every connection requires.
 *
 * @throws TypeError if the list is empty
 * @example requireAccounts([address].map((each) => toAccountId('solana', chainId, each)))
 */
export function requireAccounts([first, ...others]: readonly AccountId[]): readonly [AccountId, ...AccountId[]] {
  if (first === undefined) throw new TypeError('A connection has at least one account.')
  return [first, ...others]
}
