import { parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import type { Latchkey } from '../../latchkey.ts'

/** What was read of an account on a chain before is not true any more. */
export function forgetBalances(latchkey: Latchkey, { chainId, from }: { chainId: ChainId; from: AccountId }): void {
  const { address } = parseAccountId(from)
  for (const kind of ['native_balance', 'portfolio']) {
    latchkey.memory.setCached(`${kind}/${chainId}/${address}`, undefined)
  }
}
