import { parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { setCached } from '../storage/getCached.ts'

/** Removes the cached balances of an account on a chain, so that the next read fetches them again. */
export function invalidateBalances(latchkey: Pick<Latchkey, 'internal'>, account: AccountId, chainId: ChainId): void {
  const { address } = parseAccountId(account)
  for (const kind of ['native_balance', 'portfolio']) {
    setCached(latchkey.internal, `${kind}/${chainId}/${address}`, undefined)
  }
}
