import { getCoinTypeChainId } from './coinType.ts'
import type { NameRecord } from './nameStore.ts'

/**
 * Returns the chain (CAIP-2) whose account a name belongs to, or `undefined` for the accounts of all chains. A key owns
 * its address on every chain. A contract proved only that it owns the address on the chain of its proof.
 */
export function getNamedChain({
  signer,
  proofCoinType,
}: Pick<NameRecord, 'signer' | 'proofCoinType'>): string | undefined {
  if (signer !== 'contract') return undefined
  const chainId = proofCoinType === null ? undefined : getCoinTypeChainId(proofCoinType)
  return `eip155:${chainId ?? 'unknown'}`
}
