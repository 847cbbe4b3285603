import { transactionKey, type TransactionIdentity, type TransactionLedger } from './pendingTransactions.ts'
import { getTabLocks, type TabLocks } from './tabLocks.ts'
import type { TrackedPage } from './trackedPage.ts'

type HeldReports = Pick<TransactionLedger, 'held'>

/** The lock of the tab that reports the outcome of a transaction. */
export function reportLockName(of: TransactionIdentity): string {
  return `@latchkey/report/${transactionKey(of)}`
}

/** The environment of a tab; the page's own by default. */
export type TabEnvironment = { locks?: TabLocks | undefined; page?: TrackedPage | undefined }

/**
 * Makes this tab the one that reports the outcome of a transaction, because it sent it. The other tabs wait until this one
 * reported it, was closed or is hidden: the browser then releases the lock, or this tab does.
 */
export function holdReport(
  { held }: HeldReports,
  of: TransactionIdentity,
  { locks = getTabLocks(), page = typeof document === 'undefined' ? undefined : document }: TabEnvironment = {},
): void {
  const key = transactionKey(of)
  if (held.has(key)) return
  const acquire = (): (() => void) => {
    if (locks === undefined || page?.visibilityState === 'hidden') return () => {}
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    // A page in a sandbox has locks that reject each request.
    Promise.resolve(locks.request(reportLockName(of), () => released)).catch(() => undefined)
    return release
  }
  let release = acquire()
  const onVisibilityChange = (): void => {
    release()
    release = acquire()
  }
  page?.addEventListener('visibilitychange', onVisibilityChange)
  held.set(key, () => {
    page?.removeEventListener('visibilitychange', onVisibilityChange)
    release()
  })
}

/** True if this tab sent the transaction and has not reported its outcome. */
export function holdsReport({ held }: HeldReports, of: TransactionIdentity): boolean {
  return held.has(transactionKey(of))
}

/** Lets the other tabs report the outcome of a transaction. */
export function releaseReport({ held }: HeldReports, of: TransactionIdentity): void {
  const key = transactionKey(of)
  held.get(key)?.()
  held.delete(key)
}
