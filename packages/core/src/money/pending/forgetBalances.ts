import { parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import type { Latchkey } from '../../instance/latchkey.ts'

/** Removes the cached balances of an account on a chain. */
export function forgetBalances(
  latchkey: Pick<Latchkey, 'internal'>,
  { chainId, from }: { chainId: ChainId; from: AccountId },
): void {
  const { address } = parseAccountId(from)
  for (const kind of ['native_balance', 'portfolio']) {
    latchkey.internal.memory.setCached(`${kind}/${chainId}/${address}`, undefined)
  }
}
