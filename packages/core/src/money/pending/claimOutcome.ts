import type { Latchkey } from '../../instance/latchkey.ts'
import type { TransactionResult } from '../../instance/events.ts'
import type { Memory } from '../../storage/memory.ts'
import type { PurchaseStatus } from '../buy/state.ts'
import { holdsReport, releaseReport, reportLockName } from './holdReport.ts'
import { ledgerOf, transactionKey, type TransactionIdentity, type TransactionLedger } from './pendingTransactions.ts'
import { getTabLocks, type TabLocks } from './tabLocks.ts'

/** The entry of the storage that all tabs share. */
const storageKey = 'reported_outcomes'

/** The number of transactions whose reported outcome is remembered. */
const limit = 20

/** An outcome that can be reported: of a transaction, a batch of calls or a purchase. */
type ReportedResult = TransactionResult | 'failed' | 'partly-reverted' | PurchaseStatus

/** A transaction, and the outcome that was reported last. */
type Reported = readonly [key: string, result: string]

/**
 * Claims the right to report an outcome to the user, so that only one tab of the site does: the one that sent the
 * transaction, or another one once that is closed or hidden. The same outcome of a transaction is claimed once; another one,
 * for example after a reorg, can be claimed again. Never rejects.
 *
 * @param locks the locks of the page. Without them, the first tab succeeds, and two tabs that claim within a millisecond
 *   may both succeed.
 * @returns true if this tab reports it
 * @example if (await claimOutcome(latchkey, transaction, 'mined')) show('Confirmed')
 */
export async function claimOutcome(
  latchkey: Latchkey,
  of: TransactionIdentity,
  result: ReportedResult,
  locks: TabLocks | undefined = getTabLocks(),
): Promise<boolean> {
  const ledger = ledgerOf(latchkey)
  const { memory, reserved } = ledger
  const isReserved = reserved.has(reservationOf(of, result))
  if (!isReserved && !holdsReport(ledger, of)) await waitForSender(of, locks)
  const isClaimed = await writeAlone(
    locks,
    () => reserved.delete(reservationOf(of, result)) || writeClaim(memory, of, result),
  )
  releaseReport(ledger, of)
  return isClaimed
}

/**
 * Claims an outcome for a caller in this tab that waits for it, before another tab can. The next `claimOutcome` of this tab
 * succeeds if this did.
 */
export async function reserveOutcome(
  ledger: TransactionLedger,
  of: TransactionIdentity,
  result: ReportedResult,
  locks: TabLocks | undefined = getTabLocks(),
): Promise<void> {
  await writeAlone(locks, () => {
    const isClaimed = writeClaim(ledger.memory, of, result)
    if (isClaimed) ledger.reserved.add(reservationOf(of, result))
    return isClaimed
  })
  releaseReport(ledger, of)
}

function reservationOf(of: TransactionIdentity, result: ReportedResult): string {
  return `${transactionKey(of)} ${result}`
}

async function waitForSender(of: TransactionIdentity, locks: TabLocks | undefined): Promise<void> {
  // A page in a sandbox has locks that reject each request.
  await Promise.resolve(locks?.request(reportLockName(of), () => undefined)).catch(() => undefined)
}

/** Writes while no other tab does. */
async function writeAlone(locks: TabLocks | undefined, write: () => boolean): Promise<boolean> {
  if (locks === undefined) return write()
  return Promise.resolve(locks.request('@latchkey/outcomes', write)).catch(write)
}

function writeClaim(memory: Memory, of: TransactionIdentity, result: ReportedResult): boolean {
  const key = transactionKey(of)
  const reported = parseReported(memory.read(storageKey))
  if (reported.some(([other, last]) => other === key && last === result)) return false
  const others = reported.filter(([other]) => other !== key)
  memory.write(storageKey, [[key, result], ...others].slice(0, limit))
  return true
}

function parseReported(stored: unknown): readonly Reported[] {
  if (!Array.isArray(stored)) return []
  return stored.slice(0, limit).flatMap((each: unknown): Reported[] => {
    if (!Array.isArray(each)) return []
    const [key, result]: readonly unknown[] = each
    return typeof key === 'string' && typeof result === 'string' ? [[key, result]] : []
  })
}
