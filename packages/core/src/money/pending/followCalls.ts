import type { AccountId, ChainId } from '@latchkey/protocol'
import { waitForCalls } from '../../actions/walletCalls.ts'
import type { CallsStatus } from '../../adapter.ts'
import type { Latchkey } from '../../latchkey.ts'
import { forgetBalances } from './forgetBalances.ts'
import { dropPending, keepPending, markPending, type Purpose } from './pendingTransactions.ts'

/**
 * Keeps a batch of calls (EIP-5792) on the list of transactions on their way, under its own name, until the wallet tells
 * what became of it.
 *
 * @returns undefined when the wallet does not tell in time: the batch stays on the list as unknown
 * @example const status = await followCalls(latchkey, { id, chainId, from, what: { kind: 'swap' } })
 */
export async function followCalls(
  latchkey: Latchkey,
  { id, chainId, from, what }: { id: string; chainId: ChainId; from: AccountId; what: Purpose },
): Promise<CallsStatus | undefined> {
  keepPending(latchkey, { hash: id, chainId, from, what, since: latchkey.clock.now(), status: 'pending' })
  try {
    const status = await waitForCalls(latchkey, id)
    dropPending(latchkey, { hash: id, chainId })
    forgetBalances(latchkey, { chainId, from })
    return status
  } catch {
    markPending(latchkey, { hash: id, chainId }, 'unknown')
    return undefined
  }
}
