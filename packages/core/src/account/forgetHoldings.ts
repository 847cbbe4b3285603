import { parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'

/** Forgets what was read of an account's balances on a chain, so that the next question is asked anew. */
export function forgetHoldings(latchkey: Latchkey, account: AccountId, chainId: ChainId): void {
  const { address } = parseAccountId(account)
  for (const kind of ['native_balance', 'portfolio']) {
    latchkey.memory.setCached(`${kind}/${chainId}/${address}`, undefined)
  }
}
