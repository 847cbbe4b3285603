import type { Latchkey } from '../../instance/latchkey.ts'
import { releaseReport } from './holdReport.ts'
import { findPending, ledgerOf, removePending, type PendingTransaction } from './pendingTransactions.ts'
import { markSettled, storeTransactions } from './storedTransactions.ts'

/**
 * Removes a transaction from the pending ones, for example one that no node of the app ever saw. It changes nothing on the
 * chain, which may still include it.
 *
 * @example
 * const [pending] = pendingTransactions(latchkey).getState()
 * if (pending?.status === 'unknown') stopTracking(latchkey, pending)
 */
export function stopTracking(latchkey: Latchkey, of: Pick<PendingTransaction, 'hash' | 'chainId'>): void {
  const ledger = ledgerOf(latchkey)
  const listed = findPending(ledger, of)
  if (listed === undefined) return
  markSettled(ledger, of)
  removePending(ledger, of)
  storeTransactions(ledger, listed)
  releaseReport(ledger, of)
}
