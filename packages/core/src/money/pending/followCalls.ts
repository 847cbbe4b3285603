import type { AccountId, ChainId } from '@latchkey/protocol'
import { waitForCalls } from '../../requests/sendCalls.ts'
import type { CallsStatus } from '../../contracts/adapter.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { invalidateBalances } from '../../account/invalidateBalances.ts'
import { removePending, addPending, markPending, type Purpose } from './pendingTransactions.ts'

/**
 * Adds a batch of calls (EIP-5792) to the pending transactions, under its own id, until the wallet reports its outcome.
 *
 * @returns undefined if the wallet does not report it in time; the batch stays on the list as unknown
 * @example const status = await followCalls(latchkey, { id, chainId, from, what: { kind: 'swap' } })
 */
export async function followCalls(
  latchkey: Latchkey,
  { id, chainId, from, what }: { id: string; chainId: ChainId; from: AccountId; what: Purpose },
): Promise<CallsStatus | undefined> {
  addPending(latchkey, { hash: id, chainId, from, what, since: latchkey.internal.clock.now(), status: 'pending' })
  try {
    const status = await waitForCalls(latchkey, id)
    removePending(latchkey, { hash: id, chainId })
    invalidateBalances(latchkey, from, chainId)
    return status
  } catch {
    markPending(latchkey, { hash: id, chainId }, 'unknown')
    return undefined
  }
}
