import type { Latchkey } from '../../instance/latchkey.ts'
import type { TransactionResult } from '../../instance/events.ts'
import type { Memory } from '../../storage/memory.ts'
import type { CallsOutcome } from './followCalls.ts'
import { transactionKey, type TransactionIdentity } from './pendingTransactions.ts'

/** The entry of the storage that all tabs share. */
const storageKey = 'reported_outcomes'

/** The number of transactions whose reported outcome is remembered. */
const limit = 20

/** Serialises the tabs of a site (Web Locks). Missing in insecure pages and on servers. */
export type TabLocks = Pick<LockManager, 'request'>

/** An outcome that can be reported. */
type ReportedResult = TransactionResult | CallsOutcome['status']

/** A transaction, and the outcome that was reported last. */
type Reported = readonly [key: string, result: string]

/**
 * Claims the right to report an outcome to the user, so that only one tab of the site does. The same outcome of a
 * transaction is claimed once; another one, for example after a reorg, can be claimed again. Never rejects.
 *
 * @param locks the locks of the page. Without them, two tabs that claim within a millisecond may both succeed.
 * @returns true if this tab reports it
 * @example if (await claimOutcome(latchkey, transaction, 'mined')) show('Confirmed')
 */
export async function claimOutcome(
  { internal: { memory } }: Pick<Latchkey, 'internal'>,
  of: TransactionIdentity,
  result: ReportedResult,
  locks: TabLocks | undefined = getTabLocks(),
): Promise<boolean> {
  const claim = (): boolean => writeClaim(memory, transactionKey(of), result)
  if (locks === undefined) return claim()
  // A page in a sandbox has locks that reject each request.
  return Promise.resolve(locks.request('@latchkey/outcomes', claim)).catch(claim)
}

function writeClaim(memory: Memory, key: string, result: ReportedResult): boolean {
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

function getTabLocks(): TabLocks | undefined {
  return typeof navigator !== 'undefined' && 'locks' in navigator ? navigator.locks : undefined
}
