import { parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import { getCallsStatus, waitForCalls } from '../../requests/sendCalls.ts'
import type { CallsStatus } from '../../contracts/adapter.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { invalidateBalances } from '../../account/invalidateBalances.ts'
import { ledgerOf, removePending, addPending, patchPending, type Purpose } from './pendingTransactions.ts'

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
  addPending(ledgerOf(latchkey), {
    hash: id,
    chainId,
    from,
    what,
    since: latchkey.internal.clock.now(),
    status: 'pending',
    batch: true,
  })
  try {
    const status = await waitForCalls(latchkey, id)
    removePending(ledgerOf(latchkey), { hash: id, chainId })
    invalidateBalances(latchkey, from, chainId)
    return status
  } catch {
    patchPending(ledgerOf(latchkey), { hash: id, chainId }, { status: 'unknown' })
    return undefined
  }
}

/** Asks the wallet once for the outcome of a listed batch. Returns true if it has settled. */
export async function checkCalls(
  latchkey: Latchkey,
  { hash, chainId, from }: { hash: string; chainId: ChainId; from: AccountId },
): Promise<boolean> {
  const { namespace } = parseAccountId(from)
  const status = await getCallsStatus(latchkey, hash, { namespace }).catch(() => undefined)
  if (status === undefined || status.status === 'pending') return false
  removePending(ledgerOf(latchkey), { hash, chainId })
  invalidateBalances(latchkey, from, chainId)
  return true
}
