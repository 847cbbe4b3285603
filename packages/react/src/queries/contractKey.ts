import type { ChainId } from '@latchkey/protocol'
import type { QueryKey } from '@tanstack/react-query'
import { holdingsMilliseconds } from './balanceQuery.ts'

/** Options of the hooks that read contracts. */
export type UseReadContractOptions = {
  /** False to wait, for example until an argument is known. Default: true. */
  enabled?: boolean
}

type KeyedCall = { address: string; functionName: string; args?: unknown }

/** The key of a read of contracts, with the time for which it stays fresh. */
export function contractKey(
  chainId: ChainId | undefined,
  calls: readonly KeyedCall[],
): { queryKey: QueryKey; queryKeyHashFn(key: QueryKey): string; staleTime: number } {
  return {
    queryKey: ['contracts', chainId, calls.map(({ address, functionName, args }) => [address, functionName, args])],
    queryKeyHashFn: hashKey,
    staleTime: holdingsMilliseconds,
  }
}

/** JSON has no large integers, which arguments often are. */
function hashKey(key: QueryKey): string {
  return JSON.stringify(key, (_, value: unknown) => (typeof value === 'bigint' ? { bigint: String(value) } : value))
}
